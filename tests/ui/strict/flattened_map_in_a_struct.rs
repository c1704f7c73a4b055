use std::collections::HashMap;

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the archive by words.
#[derive(Deserialize, Tool)]
#[tool(strict = "portable")]
struct Search {
    words: String,
    #[serde(flatten)]
    rest: HashMap<String, serde_json::Value>,
}

impl Execute for Search {
    type Output = usize;

    async fn execute(self, _: &ToolContext) -> Result<usize, ToolError> {
        Ok(self.words.len() + self.rest.len())
    }
}

fn main() {}
