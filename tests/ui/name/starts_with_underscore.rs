use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn _get_weather() {}

fn main() {}
