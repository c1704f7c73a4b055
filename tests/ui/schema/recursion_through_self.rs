use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Tree<T> {
    value: T,
    children: Vec<Self>,
}

/// Count the nodes of a tree.
#[tool]
fn count(tree: Tree<u8>) -> usize {
    tree.children.len()
}

fn main() {}
