#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
async fn get_weather(city: String) -> String {
    city.
}

fn main() {}
