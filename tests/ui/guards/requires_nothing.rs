use toolwright::tool;

/// Get the current weather for a city.
#[tool(requires())]
fn get_weather() {}

fn main() {}
