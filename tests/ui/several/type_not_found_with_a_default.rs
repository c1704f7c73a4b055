use toolwright::tool;

/// Get the weather in some cities.
#[tool]
async fn get_weather(#[tool(default, length(..=9))] _cities: Vec<Strng>) {}

fn main() {}
