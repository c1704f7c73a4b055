#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(length)] value: String) {}

fn main() {}
