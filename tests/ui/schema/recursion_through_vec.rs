#![allow(unused_variables)]

use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Tree {
    value: u8,
    children: Vec<Tree>,
}

/// Plant a tree of trees.
#[tool]
fn plant(tree: Tree) {}

fn main() {}
