#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Query {
    #[serde(flatten)]
    #[tool(length(1..=20))]
    page: Page,
}

#[derive(Deserialize, ToolInput)]
struct Page {
    start: u32,
}

fn main() {}
