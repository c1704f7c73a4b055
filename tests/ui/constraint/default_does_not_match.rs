#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(pattern("^[0-9]$"), default = "zz")] code: &str) {}

fn main() {}
