#![allow(dead_code, unreachable_patterns)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
    #[serde(alias = "query")]
    text: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
