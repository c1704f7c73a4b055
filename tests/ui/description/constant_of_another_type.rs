use toolwright::tool;

#[tool(description = 5)]
fn get_weather() {}

fn main() {}
