#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(schemars = 3)]
    value: u8,
}

fn main() {}
