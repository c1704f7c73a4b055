#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    #[allow(non_snake_case)]
    fn Find(&self) {}
}

fn main() {}
