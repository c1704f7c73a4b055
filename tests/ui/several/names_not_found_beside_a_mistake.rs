use toolwright::tool;

/// Get the weather in a city.
#[tool(nmae = "weather")]
fn get_weather(city: String) -> String {
    lower_case(city)
}

fn forecast(days: Days) -> Weather {
    predict(days)
}

fn main() {}
