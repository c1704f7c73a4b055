use toolwright::tool;

/// Get the current weather for a city.
#[tool(open_world(false))]
fn get_weather() {}

fn main() {}
