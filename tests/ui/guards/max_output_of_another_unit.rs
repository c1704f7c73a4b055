#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the current weather for a city.
#[tool(max_output = "32KB")]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(max_output = 5_000_000_000)]
fn max_output_too_large() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(max_output = "32KB")]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(max_output = "32KB")]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
