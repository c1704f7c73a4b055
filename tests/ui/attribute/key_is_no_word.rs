#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

#[tool(description = "Get the weather in a city.", 5)]
fn get_weather(_city: String) {}

/// Get the weather in a city.
#[tool(weather::name = "weather", nmae = "weather")]
fn key_is_a_path(_city: String) {}

struct Shop;

#[tools]
impl Shop {
    #[tool(description = "Find products by a word.", 5)]
    fn find(&self) {}
}

#[derive(serde::Deserialize, Tool)]
#[tool(description = "Search the documentation.", 5)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(serde::Deserialize, ToolInput)]
#[tool(5)]
struct City {
    name: String,
}

fn main() {}
