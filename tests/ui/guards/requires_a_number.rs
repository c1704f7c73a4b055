#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

const PAYMENTS: u32 = 1;

/// Get the current weather for a city.
#[tool(requires(network, PAYMENTS))]
fn get_weather() {}

const REQUIRES_A_NUMBER_IN_A_BLOCK: u32 = 1;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(requires(network, REQUIRES_A_NUMBER_IN_A_BLOCK))]
    fn find(&self) {}
}

const REQUIRES_A_NUMBER_ON_A_STRUCT: u32 = 1;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(requires(network, REQUIRES_A_NUMBER_ON_A_STRUCT))]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
