#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    #[tool]
    fn find(&self, word: String) {}
}

fn main() {}
