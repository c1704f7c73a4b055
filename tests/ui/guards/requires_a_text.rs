use toolwright::tool;

/// Get the current weather for a city.
#[tool(requires("network"))]
fn get_weather() {}

fn main() {}
