#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(default = 50, range(1..=20))] value: u8) {}

fn main() {}
