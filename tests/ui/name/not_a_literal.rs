#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

const NAME: &str = "get_weather";

/// Get the current weather for a city.
#[tool(name = NAME)]
fn get_weather() {}

const NAME_IS_NO_LITERAL: &str = "find";

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(name = NAME_IS_NO_LITERAL)]
    fn find(&self) {}
}

const NAME2: &str = "search";

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(name = NAME2)]
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
