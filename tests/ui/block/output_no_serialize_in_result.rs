#![allow(unused_variables)]

use toolwright::{ToolError, tools};

struct Found;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Result<Found, ToolError> {
        Ok(Found)
    }
}

fn main() {}
