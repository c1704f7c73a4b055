#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Day(#[tool(format = "date", example = "tomorrow")] String);

fn main() {}
