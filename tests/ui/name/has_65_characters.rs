use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa() {}

fn main() {}
