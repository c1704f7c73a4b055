use toolwright::tool;

/// Get the current weather for a city.
#[tool]
unsafe fn get_weather() {}

fn main() {}
