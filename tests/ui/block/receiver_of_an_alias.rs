#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

type Mine = Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(self: Mine, word: String) {}
}

fn main() {}
