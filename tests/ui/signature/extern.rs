use toolwright::tool;

/// Get the current weather for a city.
#[tool]
extern "C" fn get_weather() {}

fn main() {}
