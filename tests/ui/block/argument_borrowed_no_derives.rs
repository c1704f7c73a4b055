#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct City;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, city: &City) {}
}

fn main() {}
