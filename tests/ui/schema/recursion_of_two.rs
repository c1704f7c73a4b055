#![allow(unused_variables)]

use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Folder {
    files: Vec<File>,
}

#[derive(Deserialize, ToolInput)]
struct File {
    parent: Option<Box<Folder>>,
}

#[derive(Deserialize, ToolInput)]
struct Disk {
    root: Folder,
}

/// Format the whole disk.
#[tool]
fn format(disk: Disk) {}

fn main() {}
