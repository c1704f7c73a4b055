#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the current weather for a city.
#[tool(rate_limit = "30")]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(rate_limit("30 per minute", fail))]
fn rate_limit_in_words() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(rate_limit = "30")]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(rate_limit = "30")]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
