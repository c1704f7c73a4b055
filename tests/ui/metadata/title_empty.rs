use toolwright::tool;

/// Get the current weather for a city.
#[tool(title = " ")]
fn get_weather() {}

fn main() {}
