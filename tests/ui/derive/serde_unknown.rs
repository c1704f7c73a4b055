#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(renam = "text")]
    query: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(Deserialize, ToolInput)]
#[serde(renam = "kind")]
enum Unit {
    Celsius,
}

#[derive(ToolInput)]
union Either {
    a: u8,
    b: i8,
}

fn main() {}
