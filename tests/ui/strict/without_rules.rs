use toolwright::tool;

/// Get the current weather for a city.
#[tool(strict)]
fn get_weather() {}

/// Get the weather of tomorrow for a city.
#[tool(strict = true)]
fn get_forecast() {}

fn main() {}
