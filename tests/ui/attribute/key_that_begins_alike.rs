use toolwright::tool;

/// Get the current weather for a city.
#[tool(read_only, retry = 3, rate = "30/min")]
fn get_weather() {}

fn main() {}
