#![allow(unused_variables)]

use toolwright::{ToolContext, tool};

/// Get the current weather for a city.
#[tool]
fn get_weather(
    /// Where it runs.
    #[context]
    cx: &ToolContext,
) {
}

fn main() {}
