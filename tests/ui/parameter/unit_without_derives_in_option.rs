#![allow(dead_code, unused_variables)]

use toolwright::tool;

enum Unit {
    Celsius,
}

/// Get the current weather for a city.
#[tool]
fn get_weather(unit: Option<Unit>) {}

fn main() {}
