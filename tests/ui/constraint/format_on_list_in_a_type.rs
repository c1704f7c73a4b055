#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(format = "email")]
    value: Vec<String>,
}

fn main() {}
