#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[contxt] cx: &ToolContext) {}

/// Get the current weather for a city.
#[tool]
fn tool_misspelled_on_a_parameter(#[tol(default)] days: u8) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[contxt] cx: &ToolContext) {}
}

struct ToolMisspelledOnAParameter;

#[tools]
impl ToolMisspelledOnAParameter {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tol(default)] limit: u8) {}
}

fn main() {}
