#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(schemars, range(1..=5))]
    value: u8,
}

fn main() {}
