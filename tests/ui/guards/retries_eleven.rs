use toolwright::tool;

/// Get the current weather for a city.
#[tool(read_only, retries = 11)]
fn get_weather() {}

fn main() {}
