use toolwright::tool;

/// Get the current weather for a city.
#[tool(max_output = "32KB")]
fn get_weather() {}

fn main() {}
