use toolwright::tool;

/// Get the weather in a city.
#[tool(name =)]
fn get_weather(_city: String) {}

fn main() {}
