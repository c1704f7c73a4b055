use toolwright::tool;

/// Get the weather in a city.
#[tool]
async fn get_weather(city: str) -> String {
    city.to_owned()
}

fn main() {}
