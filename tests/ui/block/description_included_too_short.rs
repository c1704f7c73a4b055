#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    #[doc = concat!("a", "b")]
    #[tool]
    fn find(&self) {}
}

fn main() {}
