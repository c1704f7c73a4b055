#![allow(unused_variables)]

use toolwright::tools;

struct Found;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Found {
        Found
    }
}

fn main() {}
