#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tool, tools};

#[derive(serde::Deserialize, ToolInput)]
enum Unit {
    Celsius,
}

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(default)] unit: Unit) {}

#[derive(serde::Deserialize, ToolInput)]
enum BorrowedNoDefault {
    Celsius,
}

/// Get the current weather for a city.
#[tool]
fn borrowed_no_default(#[tool(default)] unit: &BorrowedNoDefault) {}

#[derive(serde::Deserialize, ToolInput)]
enum Order {
    Price,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(default)] order: Order) {}
}

fn main() {}
