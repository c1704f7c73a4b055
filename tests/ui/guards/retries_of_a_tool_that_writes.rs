use toolwright::tool;

/// Get the current weather for a city.
#[tool(retries = 2)]
fn get_weather() {}

fn main() {}
