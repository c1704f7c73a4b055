use toolwright::tool;

/// Get the current weather for a city.
#[tool(type = "GetWeather")]
fn get_weather() {}

fn main() {}
