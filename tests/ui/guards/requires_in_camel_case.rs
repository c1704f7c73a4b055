use toolwright::tool;

/// Get the current weather for a city.
#[tool(requires(Network))]
fn get_weather() {}

fn main() {}
