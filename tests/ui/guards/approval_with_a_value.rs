#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the current weather for a city.
#[tool(approval = "always")]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(sequential(true))]
fn sequential_with_a_value() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(approval = "always")]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(approval = "always")]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
