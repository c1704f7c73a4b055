#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tools};

#[derive(serde::Deserialize, ToolInput)]
enum Order {
    Price,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(default)] order: Order) {}
}

fn main() {}
