#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool::Json};

#[derive(serde::Serialize, ToolInput)]
struct Folder {
    folders: Vec<Folder>,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = Json<Folder>;

    async fn execute(self, _: &ToolContext) -> Result<Json<Folder>, ToolError> {
        Ok(Json(Folder { folders: Vec::new() }))
    }
}

fn main() {}
