use toolwright::tool;

/// Get the current weather for a city.
#[tool(descripton = "Get the weather.")]
fn get_weather() {}

fn main() {}
