#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tool};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[cfg_attr(unix, context)] cx: &ToolContext) {}

fn main() {}
