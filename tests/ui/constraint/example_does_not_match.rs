#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(pattern("^[0-9]$"), example = "zz")] code: String) {}

/// Get the current weather for a city.
#[tool]
fn default_does_not_match(#[tool(pattern("^[0-9]$"), default = "zz")] code: &str) {}

fn main() {}
