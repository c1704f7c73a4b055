#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Part(#[tool(range(0.0..=1.0))] f64);

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range(5.0..))] part: Part) {}

fn main() {}
