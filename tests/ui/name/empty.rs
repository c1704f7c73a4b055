use toolwright::tool;

/// Get the current weather for a city.
#[tool(name = "")]
fn get_weather() {}

fn main() {}
