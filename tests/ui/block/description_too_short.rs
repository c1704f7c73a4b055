#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find it.
    #[tool]
    fn find(&self, word: String) {}
}

fn main() {}
