use toolwright::tool;

struct Weather;

/// Get the weather in a city.
#[tool(type = Weather)]
fn weather(city: String) -> String {
    city
}

fn main() {}
