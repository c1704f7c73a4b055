use toolwright::tool;

/// Get the current weather for a city.
#[tool(name = "get_wetter_für_ort")]
fn get_weather() {}

fn main() {}
