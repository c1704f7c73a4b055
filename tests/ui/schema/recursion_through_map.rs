#![allow(unused_variables)]

use serde::Deserialize;
use toolwright::{ToolInput, tool};

use std::collections::BTreeMap;

#[derive(Deserialize, ToolInput)]
struct Tree {
    children: BTreeMap<String, Tree>,
}

/// Plant a tree of trees.
#[tool]
fn plant(trees: Vec<Tree>) {}

fn main() {}
