#![allow(unused_variables)]

use toolwright::tools;

struct User;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    async fn find(&self, #[context] user: User) {}
}

fn main() {}
