#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(range(1..=5), example = 9)]
    value: u8,
}

fn main() {}
