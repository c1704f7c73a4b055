#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Point {
    x: f64,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(flatten)]
    #[tool(schemars)]
    point: Point,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
