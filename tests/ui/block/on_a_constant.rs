#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    const FIND: u8 = 1;

    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}
