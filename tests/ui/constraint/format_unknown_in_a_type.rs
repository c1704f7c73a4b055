#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(format = "barcode")]
    value: String,
}

fn main() {}
