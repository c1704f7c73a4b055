#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    const MOST: u8 = 50;

    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(range(1..=5), default = Self::MOST)] value: u8) {}
}

fn main() {}
