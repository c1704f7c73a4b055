#![allow(unused_variables)]

use toolwright::{tool as callable, tools};

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[callable]
    fn find(&self) {}

    /// Find a shop by a word in its name.
    #[tool]
    fn shop(&self, word: String) {}
}

fn main() {}
