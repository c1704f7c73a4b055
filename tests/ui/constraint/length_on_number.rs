#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(length(1..=5))] value: u8) {}

/// Get the current weather for a city.
#[tool]
fn length_on_array(#[tool(length(1..=5))] value: [u8; 3]) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(length(1..=5))] value: u8) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[tool(length(1..=5))]
    value: u8,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

/// Search the documentation, best first.
#[derive(Deserialize, Tool)]
struct SearchDocs {
    #[tool(length(1..=20))]
    limit: u8,
}

impl Execute for SearchDocs {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(length(1..=5))]
    value: u8,
}

fn main() {}
