#![allow(dead_code)]

// rmcp: `#[tool_router]` on the block.
use toolwright::tool;

struct Shop;

impl Shop {
    /// Find products by a word in their name.
    #[tool(description = "Find products by a word in their name")]
    async fn find(&self, word: String) -> String {
        word
    }
}

fn main() {}
