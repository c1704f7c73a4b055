#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tools};

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[cfg_attr(unix, context)] cx: &ToolContext) {}
}

fn main() {}
