#![allow(dead_code, unused_variables)]

use toolwright::{tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather((city, country): (String, String)) {}

/// Get the current weather for a city.
#[tool]
fn wildcard(_: String) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, (a, b): (u8, u8)) {}
}

struct Wildcard;

#[tools]
impl Wildcard {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, _: String) {}
}

fn main() {}
