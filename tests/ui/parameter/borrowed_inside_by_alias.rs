#![allow(unused_variables)]

use toolwright::tool;

type City<'a> = &'a str;

/// Get the current weather for a city.
#[tool]
fn get_weather(cities: Vec<City<'_>>) {}

fn main() {}
