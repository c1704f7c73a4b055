#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    #[tool(description = concat!("Find", " it"))]
    fn find(&self, word: String) {}
}

fn main() {}
