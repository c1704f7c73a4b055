#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(default = 50, range(1..=20))] value: u8) {}
}

fn main() {}
