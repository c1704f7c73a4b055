#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(city: , days: u8) {}

fn main() {}
