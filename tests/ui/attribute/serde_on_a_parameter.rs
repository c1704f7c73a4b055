#![allow(dead_code, unused_variables)]

use toolwright::{tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[serde(default)] days: u8) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[serde(default)] limit: u8) {}
}

fn main() {}
