use toolwright::tool;

/// Get the current weather for a city.
#[tool(strict = "OpenAi")]
fn get_weather() {}

fn main() {}
