#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tools};

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    or: Vec<Query>,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, query: Query) {}
}

fn main() {}
