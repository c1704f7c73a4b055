#![allow(unused_variables)]

use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
enum Unit {
    Celsius,
}

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(default)] unit: &Unit) {}

fn main() {}
