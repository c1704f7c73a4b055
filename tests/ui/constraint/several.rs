#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(
    #[tool(range(1..=5), length(300..=200))] city: String,
    #[tool(range(-1..=300), example = 7)] days: u8,
) {
}

fn main() {}
