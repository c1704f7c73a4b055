use toolwright::tool;

/// Get the current weather for a city.
#[tool(max_output = 5_000_000_000)]
fn get_weather() {}

fn main() {}
