#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Db;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[context] db: &mut Db, word: String) {}
}

fn main() {}
