#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Failed;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Result<String, Failed> {
        Err(Failed)
    }
}

fn main() {}
