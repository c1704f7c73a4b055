#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// ünf Wörte
#[tool]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(description = "weather")]
fn key_too_short() {}

struct Shop;

#[tools]
impl Shop {
    /// Find it.
    #[tool]
    fn find(&self, word: String) {}
}

/// Search.
#[derive(serde::Deserialize, Tool)]
struct Search { query: String }

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
