use toolwright::tool;

/// Get the current weather for a city.
#[tool(max_depth = 11)]
fn get_weather() {}

fn main() {}
