#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tools};

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[context] #[tool(schemars)] cx: &ToolContext) {}
}

fn main() {}
