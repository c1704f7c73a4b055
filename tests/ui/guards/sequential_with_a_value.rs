use toolwright::tool;

/// Get the current weather for a city.
#[tool(sequential(true))]
fn get_weather() {}

fn main() {}
