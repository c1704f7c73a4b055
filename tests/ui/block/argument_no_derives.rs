#![allow(unused_variables)]

use toolwright::tools;

struct Query;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    async fn find(&self, query: Query) {}
}

fn main() {}
