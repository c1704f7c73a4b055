#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(length(1..=5))]
    value: u8,
}

fn main() {}
