#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Query {
    Text {
        #[tool(range(1..=20))]
        text: String,
    },
}

fn main() {}
