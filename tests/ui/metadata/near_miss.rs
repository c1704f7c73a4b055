use toolwright::tool;

/// Get the current weather for a city.
#[tool(readonly)]
fn get_weather() {}

fn main() {}
