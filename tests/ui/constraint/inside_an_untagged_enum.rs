#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Mark(#[tool(range(1..=6))] u8);

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Query {
    Marks(Vec<Mark>),
    Text(String),
}

fn main() {}
