#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range(0.5..=2.5))] value: u8) {}

fn main() {}
