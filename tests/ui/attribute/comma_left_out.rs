#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the weather in a city.
#[tool(name = "weather" description = "Get the weather in a city.")]
fn get_weather(_city: String) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(name = "find_products" read_only)]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(name = "search_docs" read_only)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
