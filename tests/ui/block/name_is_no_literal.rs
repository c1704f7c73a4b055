#![allow(dead_code, unused_variables)]

use toolwright::tools;

const NAME: &str = "find";

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(name = NAME)]
    fn find(&self) {}
}

fn main() {}
