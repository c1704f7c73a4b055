use toolwright::tool;

/// Get the current weather for a city.
#[tool]
const fn get_weather() {}

fn main() {}
