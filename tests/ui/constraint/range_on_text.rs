#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range(1..=5))] value: String) {}

/// Get the current weather for a city.
#[tool]
fn range_on_list(#[tool(range(1..=5))] value: Vec<u8>) {}

/// Get the current weather for a city.
#[tool]
fn range_on_optional_boolean(#[tool(range(1..=5))] value: Option<bool>) {}

type Number = Option<String>;

/// Get the current weather for a city.
#[tool]
fn alias_of_text(#[tool(range(1..=5))] value: Number) {}

/// Get the current weather for a city.
#[tool]
fn several(
    #[tool(range(1..=5), length(300..=200))] city: String,
    #[tool(range(-1..=300), example = 7)] days: u8,
) {
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(range(1..=5))] value: String) {}
}

struct InAnImpl;

#[tools]
impl InAnImpl {
    /// Find products by name.
    #[tool]
    fn find_products(&self, #[tool(range(1..=5))] name: String) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[tool(range(1..=5))]
    value: String,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(range(1..=5))]
    value: String,
}

#[derive(Deserialize, ToolInput)]
struct InANestedType {
    #[tool(range(1..=20))]
    text: String,
    limit: Limit,
}

#[derive(Deserialize, ToolInput)]
struct Limit(#[tool(length(1..=3))] u8);

#[derive(Deserialize, ToolInput)]
enum InAVariant {
    Text {
        #[tool(range(1..=20))]
        text: String,
    },
}

fn main() {}
