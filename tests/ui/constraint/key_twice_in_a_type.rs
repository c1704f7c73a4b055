#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(range(1..=5), range(1..=6))]
    value: u8,
}

fn main() {}
