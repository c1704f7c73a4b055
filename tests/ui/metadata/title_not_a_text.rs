use toolwright::tool;

/// Get the current weather for a city.
#[tool(title = 5)]
fn get_weather() {}

fn main() {}
