use toolwright::tool;

/// Get the current weather for a city.
#[tool(timeout = "five seconds")]
fn get_weather() {}

fn main() {}
