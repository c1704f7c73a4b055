#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    #[tool("Find products by a word.")]
    fn find(&self) {}
}

fn main() {}
