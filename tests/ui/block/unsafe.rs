#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    unsafe fn find(&self) {}
}

fn main() {}
