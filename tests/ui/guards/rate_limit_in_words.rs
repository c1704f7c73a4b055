use toolwright::tool;

/// Get the current weather for a city.
#[tool(rate_limit("30 per minute", fail))]
fn get_weather() {}

fn main() {}
