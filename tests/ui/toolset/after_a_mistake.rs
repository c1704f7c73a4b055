use toolwright::{tool, toolset};

/// Get the current weather for a city.
#[tool]
fn GetWeather() {}

fn main() {
    GetWeather();
    let _ = toolset![GetWeather];
}
