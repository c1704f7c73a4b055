use toolwright::tool;

/// Get the weather at some times.
#[tool]
fn get_weather(_at: Vec<Option<u128>>) {}

fn main() {}
