#![allow(unused_variables)]

use toolwright::{ToolContext, tool};

/// Get the current weather for a city.
#[tool]
async fn get_weather(#[context] cx: &mut ToolContext) {}

fn main() {}
