#![allow(dead_code, unused_variables)]

use toolwright::{tool, tools};

/// Get the current weather for a city.
#[tool]
unsafe fn get_weather() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    unsafe fn find(&self) {}
}

fn main() {}
