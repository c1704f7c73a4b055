#![allow(dead_code, unused_variables)]

use toolwright::{tool::Updates, tools};

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Updates<futures_util::stream::Empty<Result<u8, toolwright::ToolError>>> {
        Updates(futures_util::stream::empty())
    }
}

fn main() {}
