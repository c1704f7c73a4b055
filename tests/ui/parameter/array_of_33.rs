use toolwright::tool;

/// Get the weather in some cities.
#[tool]
fn get_weather(_cities: [String; 33]) {}

fn main() {}
