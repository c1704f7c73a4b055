#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by name.
    #[tool]
    fn find_products(&self, #[tool(range(1..=5))] name: String) {}
}

fn main() {}
