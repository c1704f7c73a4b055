#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(flatten)]
    #[tool(length(1..=5))]
    rest: std::collections::HashMap<String, u8>,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
