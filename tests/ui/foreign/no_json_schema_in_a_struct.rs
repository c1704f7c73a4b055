#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

#[derive(serde::Deserialize)]
struct Opaque;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[tool(schemars)]
    value: Opaque,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
