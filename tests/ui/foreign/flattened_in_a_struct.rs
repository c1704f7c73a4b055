#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

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

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Flattened {
    x: f64,
}

#[derive(serde::Deserialize, ToolInput)]
struct Holder {
    #[serde(flatten)]
    #[tool(schemars)]
    point: Flattened,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct BesideATag {
    x: f64,
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Place {
    At(#[tool(schemars)] BesideATag),
}

fn main() {}
