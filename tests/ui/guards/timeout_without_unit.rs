use toolwright::tool;

/// Get the current weather for a city.
#[tool(timeout = "5")]
fn get_weather() {}

fn main() {}
