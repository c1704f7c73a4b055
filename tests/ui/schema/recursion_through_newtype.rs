use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Tree(Vec<Tree>);

/// Count the leaves of a tree.
#[tool]
fn count(tree: Tree) {
    let _ = tree;
}

fn main() {}
