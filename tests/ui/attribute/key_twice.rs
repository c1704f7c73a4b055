use toolwright::tool;

/// Get the current weather for a city.
#[tool(name = "a", name = "b")]
fn get_weather() {}

fn main() {}
