use toolwright::tool;

/// Get the weather in some cities.
#[tool]
fn get_weather(_city: T, _cities: Vec<U>, _first: &V) {}

fn main() {}
