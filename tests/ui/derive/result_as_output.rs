#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = Result<String, ToolError>;

    async fn execute(self, _: &ToolContext) -> Result<Result<String, ToolError>, ToolError> {
        Ok(Ok(String::new()))
    }
}

fn main() {}
