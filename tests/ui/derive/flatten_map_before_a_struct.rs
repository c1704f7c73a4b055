#![allow(dead_code, unused_variables)]

use std::collections::HashMap;
use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

#[derive(serde::Deserialize, ToolInput)]
struct Page {
    number: u8,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(flatten)]
    rest: std::collections::HashMap<String, String>,
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
struct Middle {
    #[serde(flatten)]
    place: Place,
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    middle: Middle,
    #[serde(flatten)]
    rest: HashMap<String, String>,
}

#[derive(Deserialize, ToolInput)]
struct FlattenMapBeforeAStruct {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Outer2 {
    #[serde(flatten)]
    rest: HashMap<String, String>,
    #[serde(flatten)]
    place: FlattenMapBeforeAStruct,
}

fn main() {}
