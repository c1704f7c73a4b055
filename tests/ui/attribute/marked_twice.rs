use toolwright::tool;

/// Get the current weather for a city.
#[tool]
#[tool(read_only)]
fn get_weather() {}

fn main() {}
