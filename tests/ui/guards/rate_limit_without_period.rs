use toolwright::tool;

/// Get the current weather for a city.
#[tool(rate_limit = "30")]
fn get_weather() {}

fn main() {}
