#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

#[derive(serde::Deserialize, ToolInput)]
struct Page {
    number: u8,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(flatten)]
    rest: std::collections::HashMap<String, String>,
    #[serde(flatten)]
    page: Page,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
