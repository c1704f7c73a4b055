use toolwright::tool;

/// Get the current weather for a city.
#[tool(approval = true)]
fn get_weather() {}

fn main() {}
