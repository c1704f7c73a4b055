use toolwright::{ToolInput, tool, tool::Json};

#[derive(serde::Serialize, ToolInput)]
struct Folder {
    folders: Vec<Folder>,
}

/// List the folders of the archive.
#[tool]
fn list_folders() -> Json<Folder> {
    Json(Folder { folders: Vec::new() })
}

fn main() {}
