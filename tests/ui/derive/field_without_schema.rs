#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

#[derive(Default, serde::Deserialize)]
struct Opaque;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(skip_deserializing)]
    skipped: Opaque,
    query: Vec<Opaque>,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
