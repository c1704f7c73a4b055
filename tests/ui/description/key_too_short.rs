use toolwright::tool;

/// Get the current weather for a city.
#[tool(description = "weather")]
fn get_weather() {}

fn main() {}
