#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
#[tool(crate = ::toolwright, crate = ::toolwright)]
struct City {
    name: String,
}

fn main() {}
