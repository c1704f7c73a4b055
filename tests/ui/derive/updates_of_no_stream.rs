#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool::Updates};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = Updates<Vec<u8>>;

    async fn execute(self, _: &ToolContext) -> Result<Updates<Vec<u8>>, ToolError> {
        Ok(Updates(Vec::new()))
    }
}

fn main() {}
