#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(range(1..=5), range(1..=6))] value: u8) {}
}

fn main() {}
