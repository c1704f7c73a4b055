use toolwright::tool;

/// Get the weather in a city.
#[tool(desc "Get the weather in a city.")]
fn get_weather(_city: String) {}

fn main() {}
