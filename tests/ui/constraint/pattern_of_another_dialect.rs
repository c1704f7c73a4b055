#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(pattern(r"(?i)^[a-z]+$"))] value: String) {}

fn main() {}
