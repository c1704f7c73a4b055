#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather<'a, T>(city: &'a T) {}

fn main() {}
