#![allow(dead_code, unused_variables)]

use toolwright::{tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(default = "five")] days: u8) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(default = "five")] limit: u8) {}
}

fn main() {}
