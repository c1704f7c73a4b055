use toolwright::tool;

/// Get the current weather for a city.
#[tool(approval = "always")]
fn get_weather() {}

fn main() {}
