#![allow(dead_code)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(Deserialize, Tool)]
struct SearchDocs {
    #[tool(length(1..=20))]
    limit: u8,
}

impl Execute for SearchDocs {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
