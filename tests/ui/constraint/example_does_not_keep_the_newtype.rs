#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Code(#[tool(length(..=3))] String);

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(example = "long")] code: Code) {}

fn main() {}
