#![allow(unused_variables)]

use toolwright::tool;

const NAME: &str = "get_weather";

/// Get the current weather for a city.
#[tool(name = NAME)]
fn get_weather() {}

fn main() {}
