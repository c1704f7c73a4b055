use toolwright::tool;

/// Get the weather in a city.
#[tool(name: "weather")]
fn get_weather(#[tool(range: 1..=9)] _days: u8) {}

fn main() {}
