#![allow(dead_code, unused_variables)]

use toolwright::{tool, tools};

type City<'a> = &'a str;

/// Get the current weather for a city.
#[tool]
fn get_weather(cities: Vec<City<'_>>) {}

/// Get the current weather for a city.
#[tool]
fn borrowed_inside_function(city: fn(&str)) {}

/// Get the current weather for a city.
#[tool]
fn borrowed_inside_slice(cities: &[&str]) {}

/// Get the current weather for a city.
#[tool]
fn borrowed_inside_tuple(city: (&str, u8)) {}

/// Get the current weather for a city.
#[tool]
fn borrowed_inside_vec(cities: Vec<&str>) {}

/// Get the current weather for a city.
#[tool]
fn borrowed_mutably_optional(city: Option<&mut String>) {}

/// Get the current weather for a city.
#[tool]
fn borrowed_twice(city: &&str) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, names: Vec<&str>) {}
}

fn main() {}
