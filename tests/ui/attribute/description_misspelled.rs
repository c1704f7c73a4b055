use toolwright::tool;

#[tool(descripton = "Get the weather in a city.")]
fn get_weather(_city: String) {}

fn main() {}
