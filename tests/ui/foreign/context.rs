#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tool, tools};

/// Do something with the context.
#[tool]
fn act(
    #[context]
    #[tool(schemars)]
    _cx: &ToolContext,
) {
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[context] #[tool(schemars)] cx: &ToolContext) {}
}

fn main() {}
