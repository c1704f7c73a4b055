#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

#[derive(ToolInput)]
struct City {
    name: String,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather(city: City) {}

#[derive(ToolInput)]
struct Query {
    word: String,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, query: Query) {}
}

/// Search the documentation, best first.
#[derive(Tool)]
struct Search { query: String }

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
