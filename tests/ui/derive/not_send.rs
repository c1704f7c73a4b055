#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search { query: String }

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        let query = std::rc::Rc::new(self.query);
        std::future::ready(()).await;
        Ok(query.to_string())
    }
}

fn main() {}
