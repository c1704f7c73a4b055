#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: &'static str,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[derive(Deserialize, ToolInput)]
struct City<'a> {
    name: &'a str,
}

#[derive(Deserialize, ToolInput)]
struct BorrowedOptionalText<'a> {
    #[serde(borrow)]
    name: Option<&'a str>,
}

#[derive(Deserialize, ToolInput)]
enum BorrowedInAVariant<'a> {
    Named { name: &'a str },
}

#[derive(Deserialize, ToolInput)]
struct BorrowedBytes<'a>(&'a [u8]);

fn main() {}
