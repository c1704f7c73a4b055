#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
const WEATHER: u8 = 1;

fn main() {}
