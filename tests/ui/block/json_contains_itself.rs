#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tool::Json, tools};

#[derive(serde::Serialize, ToolInput)]
struct Folder {
    folders: Vec<Folder>,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Json<Folder> {
        Json(Folder { folders: Vec::new() })
    }
}

fn main() {}
