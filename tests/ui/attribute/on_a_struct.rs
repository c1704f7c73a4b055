use toolwright::tool;

/// Get the current weather for a city.
#[tool]
struct GetWeather {
    city: String,
}

fn main() {}
