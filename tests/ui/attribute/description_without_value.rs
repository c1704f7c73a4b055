use toolwright::tool;

#[tool(description)]
fn get_weather(_city: String) {}

fn main() {}
