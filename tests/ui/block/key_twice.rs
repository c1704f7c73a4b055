#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(name = "a", name = "b")]
    fn find(&self) {}
}

fn main() {}
