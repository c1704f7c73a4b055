#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Query {
    #[tool(range(1..=20))]
    text: String,
    limit: Limit,
}

#[derive(Deserialize, ToolInput)]
struct Limit(#[tool(length(1..=3))] u8);

fn main() {}
