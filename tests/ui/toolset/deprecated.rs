#![deny(deprecated)]

use toolwright::{tool, toolset};

/// Get the current weather for a city.
#[deprecated = "use `get_forecast`"]
#[tool]
fn get_weather(city: String) -> String {
    city
}

fn main() {
    let _ = toolset![get_weather];
}
