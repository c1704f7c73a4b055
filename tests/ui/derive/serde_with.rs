#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

mod text {
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(_: D) -> Result<String, D::Error> {
        Ok(String::new())
    }
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(with = "text")]
    query: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
