#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(self: std::sync::Arc<Self>, word: String) {}
}

fn main() {}
