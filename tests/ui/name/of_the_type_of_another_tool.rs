use toolwright::tool;

/// Get the weather in a city.
#[tool(type = Weather)]
fn get_weather(city: String) -> String {
    city
}

/// Get the weather of some days.
#[tool(type = Weather)]
fn get_forecast(days: u8) -> u8 {
    days
}

fn main() {}
