use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn GetWeather() {}

fn main() {}
