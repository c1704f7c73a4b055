#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tools};

#[derive(ToolInput)]
struct Query {
    word: String,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, query: Query) {}
}

fn main() {}
