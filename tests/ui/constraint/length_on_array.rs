#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(length(1..=5))] value: [u8; 3]) {}

fn main() {}
