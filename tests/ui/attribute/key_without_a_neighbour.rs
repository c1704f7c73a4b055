use toolwright::tool;

/// Get the current weather for a city.
#[tool(zebra)]
fn get_weather() {}

fn main() {}
