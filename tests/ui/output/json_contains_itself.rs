#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools, tool::Json};

#[derive(serde::Serialize, ToolInput)]
struct Folder {
    folders: Vec<Folder>,
}

/// List the folders of the archive.
#[tool]
fn list_folders() -> Json<Folder> {
    Json(Folder { folders: Vec::new() })
}

#[derive(serde::Serialize, ToolInput)]
struct JsonContainsItself {
    folders: Vec<JsonContainsItself>,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Json<JsonContainsItself> {
        Json(JsonContainsItself { folders: Vec::new() })
    }
}

#[derive(serde::Serialize, ToolInput)]
struct Folder2 {
    folders: Vec<Folder2>,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = Json<Folder2>;

    async fn execute(self, _: &ToolContext) -> Result<Json<Folder2>, ToolError> {
        Ok(Json(Folder2 { folders: Vec::new() }))
    }
}

fn main() {}
