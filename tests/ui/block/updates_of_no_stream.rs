#![allow(dead_code, unused_variables)]

use toolwright::{tool::Updates, tools};

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    async fn find(&self) -> Updates<Vec<u8>> {
        Updates(Vec::new())
    }
}

fn main() {}
