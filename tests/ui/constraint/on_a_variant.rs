#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Query {
    #[tool(range(1..=20))]
    Number(u8),
    Text,
}

fn main() {}
