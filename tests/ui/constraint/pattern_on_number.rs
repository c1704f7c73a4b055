#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(pattern("^[0-9]+$"))] value: u8) {}

fn main() {}
