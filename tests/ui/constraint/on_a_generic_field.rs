#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Page<T> {
    #[tool(length(1..=20))]
    items: Vec<T>,
}

fn main() {}
