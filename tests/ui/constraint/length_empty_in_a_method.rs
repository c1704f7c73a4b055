#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(length(5..=1))] value: String) {}
}

fn main() {}
