#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Score(#[tool(description = "A mark.")] u8);

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    score: Score,
}

fn main() {}
