#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(pattern("^[a-z+$"))] value: String) {}

fn main() {}
