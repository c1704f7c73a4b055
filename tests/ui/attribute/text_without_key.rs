use toolwright::tool;

#[tool("Get the current weather.")]
fn get_weather() {}

fn main() {}
