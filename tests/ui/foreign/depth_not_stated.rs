#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Do something with a value.
#[tool]
fn act(#[tool(schemars(deep = 3))] _value: u8, #[tool(schemars = 3)] _other: u8) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(schemars(deep = 3))] value: u8) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[tool(schemars(depth = 10))]
    value: u8,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(schemars = 3)]
    value: u8,
}

fn main() {}
