use toolwright::tool;

struct Weather;

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Weather {
    Weather
}

fn main() {}
