#![allow(unused_variables)]

use toolwright::tools;

trait Find {
    fn find(&self);
}

struct Shop;

#[tools]
impl Find for Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}
