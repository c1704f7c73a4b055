#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the current weather for a city.
#[tool(requires(netwrok))]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(requires(Network))]
fn requires_in_camel_case() {}

/// Get the current weather for a city.
#[tool(requires(payments))]
fn requires_unknown() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(requires(netwrok))]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(requires(netwrok))]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
