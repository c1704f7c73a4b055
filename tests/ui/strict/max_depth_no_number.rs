use toolwright::tool;

/// Get the current weather for a city.
#[tool(max_depth = "4")]
fn get_weather() {}

/// Get the weather of tomorrow for a city.
#[tool(max_depth = -1)]
fn get_forecast() {}

fn main() {}
