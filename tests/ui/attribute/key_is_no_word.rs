use toolwright::tool;

#[tool(description = "Get the weather in a city.", 5)]
fn get_weather(_city: String) {}

fn main() {}
