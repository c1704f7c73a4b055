#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Mark(#[tool(range(1..=6))] u8);

#[derive(Deserialize, ToolInput)]
struct Query {
    #[tool(range(0..=3))]
    best: Mark,
}

fn main() {}
