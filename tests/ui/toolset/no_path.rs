use toolwright::{tool, toolset};

/// Get the current weather for a city.
#[tool]
fn get_weather(city: String) -> String {
    city
}

fn main() {
    let _ = toolset![get_weather, self::];
    let _ = toolset![get_weather()];
}
