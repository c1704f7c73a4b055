#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
#[tool(5)]
struct City {
    name: String,
}

fn main() {}
