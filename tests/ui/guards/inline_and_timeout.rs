use toolwright::tool;

/// Get the current weather for a city.
#[tool(inline, timeout = "5s")]
fn get_weather() {}

fn main() {}
