use toolwright::tool;

/// Get the current weather for a city.
#[tool(inline)]
async fn get_weather() {}

fn main() {}
