#![allow(dead_code, unused_variables)]

use std::collections::HashMap;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(cities: std::collections::HashMap<u8, String>) {}

/// Get the weather at some times.
#[tool]
fn map_of_other_keys_inside(_at: Vec<HashMap<u32, u8>>) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, prices: std::collections::HashMap<u8, String>) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    prices: std::collections::HashMap<u8, String>,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(serde::Deserialize, ToolInput)]
struct Prices {
    by_number: HashMap<u8, String>,
}

fn main() {}
