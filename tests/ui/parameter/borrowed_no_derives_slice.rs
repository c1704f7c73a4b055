#![allow(unused_variables)]

use toolwright::tool;

struct City;

/// Get the current weather for a city.
#[tool]
fn get_weather(cities: &[City]) {}

fn main() {}
