use toolwright::tool;

/// Get the weather in a city.
#[tool]
fn get_weather(#[tool(default = )] _days: u8) {}

fn main() {}
