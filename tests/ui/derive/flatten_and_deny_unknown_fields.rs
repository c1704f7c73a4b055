#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

#[derive(serde::Deserialize, ToolInput)]
struct Page {
    number: u8,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[serde(deny_unknown_fields)]
struct Search {
    #[serde(flatten)]
    page: Page,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Outer {
    #[serde(flatten)]
    place: Place,
}

fn main() {}
