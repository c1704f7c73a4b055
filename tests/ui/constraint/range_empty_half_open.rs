#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range(1.0..1.0))] value: f64) {}

fn main() {}
