#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(cities: std::collections::HashMap<u8, String>) {}

fn main() {}
