#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the current weather for a city.
#[tool(rate_limit("30/min", drop))]
fn get_weather() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(rate_limit("30/min", drop))]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(rate_limit("30/min", drop))]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
