use toolwright::tool;

/// Get the current weather for a city.
#[tool(inline, spawn)]
fn get_weather() {}

fn main() {}
