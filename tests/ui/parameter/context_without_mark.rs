#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tool, tools, tool::CancellationToken};

/// Get the current weather for a city.
#[tool]
async fn get_weather(city: String, cx: &ToolContext) {}

/// Get the current weather for a city.
#[tool]
async fn context_by_value_without_mark(stop: CancellationToken) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, cx: &ToolContext) {}
}

fn main() {}
