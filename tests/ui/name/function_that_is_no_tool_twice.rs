use toolwright::{tool, toolset};

/// Get the weather in a city.
#[tool]
fn get_weather(city: String) -> String {
    city
}

fn get_weather(days: u8) -> u8 {
    days
}

fn main() {
    toolset![get_weather];
}
