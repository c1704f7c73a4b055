#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Query {
    Number {
        #[tool(range(1..=20))]
        number: u8,
    },
    Text(String),
}

fn main() {}
