use toolwright::tool;

/// Get the current weather for a city.
#[tool(name = "get-weather")]
fn get_weather() {}

fn main() {}
