#![allow(unused_variables)]

use toolwright::{ToolContext, tool};

/// Get the current weather for a city.
#[tool]
fn get_weather(
    #[context]
    #[tool(length(1..=5))]
    cx: &ToolContext,
) {
}

fn main() {}
