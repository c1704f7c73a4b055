use toolwright::tool;

/// Get the current weather for a city.
#[tool(read_only, destructive)]
fn get_weather() {}

fn main() {}
