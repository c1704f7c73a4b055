use toolwright::tool;

/// Get the current weather for a city.
#[tool(idempotent, idempotent)]
fn get_weather() {}

fn main() {}
