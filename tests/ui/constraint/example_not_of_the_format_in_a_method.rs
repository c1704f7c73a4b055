#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by the day of their arrival.
    #[tool]
    fn find(&self, #[tool(format = "date", example = "tomorrow")] day: String) {}
}

fn main() {}
