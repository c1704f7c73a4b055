use toolwright::tool;

/// Get the current weather for a city.
#[tool(requires(payments))]
fn get_weather() {}

fn main() {}
