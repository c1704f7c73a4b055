#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    #[tool(description = 5)]
    fn find(&self) {}
}

fn main() {}
