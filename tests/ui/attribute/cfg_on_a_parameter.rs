#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(city: String, #[cfg(unix)] days: u8) {}

/// Get the current weather for a city.
#[tool]
fn context_on_a_condition(#[cfg_attr(unix, context)] cx: &ToolContext) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, word: String, #[cfg(unix)] limit: u8) {}
}

struct ContextOnACondition;

#[tools]
impl ContextOnACondition {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[cfg_attr(unix, context)] cx: &ToolContext) {}
}

fn main() {}
