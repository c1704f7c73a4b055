#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Code(#[tool(length(..=3))] String);

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(length(5..))] code: Code) {}

#[derive(serde::Deserialize, ToolInput)]
struct Part(#[tool(range(0.0..=1.0))] f64);

/// Get the current weather for a city.
#[tool]
fn range_of_another_than_the_newtype(#[tool(range(5.0..))] part: Part) {}

fn main() {}
