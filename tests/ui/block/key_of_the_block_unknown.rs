#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools(function = admin_tools)]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}
