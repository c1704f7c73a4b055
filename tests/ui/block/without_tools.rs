#![allow(unused_variables)]

use toolwright::tool;

struct Shop;

impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}

    /// Find a shop by a word in its name.
    #[tool]
    fn shop(word: String) -> Option<Self> {
        None
    }
}

fn main() {}
