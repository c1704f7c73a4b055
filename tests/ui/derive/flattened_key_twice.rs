#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

#[derive(serde::Deserialize, ToolInput)]
struct Page<T> {
    query: T,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
    #[serde(flatten)]
    page: Page<u8>,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
