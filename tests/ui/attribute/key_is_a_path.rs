use toolwright::tool;

/// Get the weather in a city.
#[tool(weather::name = "weather", nmae = "weather")]
fn get_weather(_city: String) {}

fn main() {}
