#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range(1..=5), example = 6)] value: u8) {}

fn main() {}
