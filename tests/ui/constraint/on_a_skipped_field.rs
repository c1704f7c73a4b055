#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Query {
    text: String,
    #[serde(skip)]
    #[tool(range(1..=20))]
    limit: u8,
}

fn main() {}
