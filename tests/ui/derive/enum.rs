#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
enum Search {
    A,
    B,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

/// Unit the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Unit;

impl Execute for Unit {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

/// Transparent the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[serde(transparent)]
struct Transparent {
    query: String,
}

impl Execute for Transparent {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(self.query)
    }
}

fn main() {}
