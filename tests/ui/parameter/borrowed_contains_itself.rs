#![allow(unused_variables, dead_code)]

use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Folder {
    inside: Vec<Folder>,
}

/// Show what is in a folder.
#[tool]
fn show(folder: &Folder, others: Option<&[Folder]>) {}

fn main() {}
