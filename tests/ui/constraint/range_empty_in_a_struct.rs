#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[tool(range(5..=1))]
    value: u8,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
