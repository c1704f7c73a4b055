use std::path::Path;

use toolwright::{ToolError, tool};

/// Say where a file is.
#[tool]
fn find_file() -> Path {
    todo!()
}

/// Read a file.
#[tool]
async fn read_file() -> Result<str, ToolError> {
    todo!()
}

/// List some files.
#[tool]
fn list_files() -> Option<[String]> {
    todo!()
}

fn main() {}
