#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
enum Unit {
    Celsius,
}

fn main() {}
