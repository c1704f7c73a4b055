#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}

    /// Find products by a word in their name.
    #[tool(name = "find")]
    fn search(&self) {}
}

struct NameTwiceOnConditions;

#[tools]
impl NameTwiceOnConditions {
    /// Find products by a word in their name.
    #[tool]
    #[cfg(all())]
    fn find(&self) {}

    /// Find products by a word in their name.
    #[tool(name = "find")]
    #[cfg(any())]
    fn not_there(&self) {}

    /// Find products by a word in their name.
    #[tool(name = "find")]
    fn search(&self) {}
}

fn main() {}
