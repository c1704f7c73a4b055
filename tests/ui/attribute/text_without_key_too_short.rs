use toolwright::tool;

#[tool("Weather.")]
fn get_weather() {}

fn main() {}
