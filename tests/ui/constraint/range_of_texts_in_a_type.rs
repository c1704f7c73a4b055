#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(range("a"..="b"))]
    value: u8,
}

fn main() {}
