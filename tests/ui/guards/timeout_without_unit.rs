#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the current weather for a city.
#[tool(timeout = "5")]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(timeout = "five seconds")]
fn timeout_in_words() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(timeout = "5")]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(timeout = "5")]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
