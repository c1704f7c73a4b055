use toolwright::tool;

/// ünf Wörte
#[tool]
fn get_weather() {}

fn main() {}
