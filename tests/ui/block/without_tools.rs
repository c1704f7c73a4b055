#![allow(unused_variables)]

use toolwright::tool;

struct Shop;


impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}
