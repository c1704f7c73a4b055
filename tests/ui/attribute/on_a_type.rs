#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
type Weather = u8;

fn main() {}
