#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Short.
#[derive(serde::Deserialize, Tool)]
#[tool(nme = "x")]
struct Search {
    #[tool(default)]
    query: String,
    #[serde(rename = "query")]
    other: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
