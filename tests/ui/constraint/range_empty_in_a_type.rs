#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(range(5..=1))]
    value: u8,
}

fn main() {}
