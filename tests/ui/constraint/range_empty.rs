#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range(20..=1))] value: u8) {}

fn main() {}
