#![allow(unused_variables)]

use toolwright::tool;

struct City;

/// Get the current weather for a city.
#[tool]
async fn get_weather(country: &str, city: &City, days: u8) {}

fn main() {}
