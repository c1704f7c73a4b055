#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

struct Found;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search { query: String }

impl Execute for Search {
    type Output = Found;

    async fn execute(self, _: &ToolContext) -> Result<Found, ToolError> {
        Ok(Found)
    }
}

fn main() {}
