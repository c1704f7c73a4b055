use toolwright::tool;

/// Get the weather in a city.
#[tool]
async fn get_weather(_city: &'a str) {}

fn main() {}
