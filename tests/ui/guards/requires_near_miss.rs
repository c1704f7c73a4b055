use toolwright::tool;

/// Get the current weather for a city.
#[tool(requires(netwrok))]
fn get_weather() {}

fn main() {}
