use toolwright::tool;

/// Get the current weather for a city.
#[tool(max_output = 0)]
fn get_weather() {}

fn main() {}
