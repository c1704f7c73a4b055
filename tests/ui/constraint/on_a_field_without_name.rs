#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Point(#[tool(range(-90..=90))] i32, i32);

fn main() {}
