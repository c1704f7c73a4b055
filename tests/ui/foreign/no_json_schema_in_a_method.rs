#![allow(dead_code, unused_variables)]

use toolwright::tools;

#[derive(serde::Deserialize)]
struct Opaque;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(schemars)] value: Opaque) {}
}

fn main() {}
