#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range = 1..=5)] value: u8) {}

/// Get the current weather for a city.
#[tool]
fn range_of_one_number(#[tool(range(5))] value: u8) {}

/// Get the current weather for a city.
#[tool]
fn range_without_limits(#[tool(range(..))] value: u8) {}

fn main() {}
