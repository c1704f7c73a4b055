#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(pattern("^[a-z+$"))]
    value: String,
}

fn main() {}
