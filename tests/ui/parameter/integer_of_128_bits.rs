#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(number: u128) {}

/// Get the weather at some times.
#[tool]
fn integer_of_128_bits_inside(_at: Vec<Option<u128>>) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, number: u128) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    number: u128,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(Deserialize, ToolInput)]
struct Account {
    balance: i128,
}

fn main() {}
