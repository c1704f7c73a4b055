use toolwright::{tool, toolset};

/// Get the weather in a city.
#[tool]
fn get_weather(city: String, #[context]) -> String {
    city
}

fn main() {
    toolset![get_weather];
}
