#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range(1..=5), range(2..=3))] value: u8) {}

fn main() {}
