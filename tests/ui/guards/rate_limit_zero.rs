use toolwright::tool;

/// Get the current weather for a city.
#[tool(rate_limit = "0/min")]
fn get_weather() {}

fn main() {}
