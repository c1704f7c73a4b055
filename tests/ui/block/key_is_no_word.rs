#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    #[tool(description = "Find products by a word.", 5)]
    fn find(&self) {}
}

fn main() {}
