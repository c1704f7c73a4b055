use toolwright::tool;

/// Get the current weather for a city.
#[tool(timeout = "0s")]
fn get_weather() {}

fn main() {}
