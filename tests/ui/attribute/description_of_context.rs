#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(
    /// Where it runs.
    #[context]
    cx: &ToolContext,
) {
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(
        &self,
        /// Where it runs.
        #[context]
        cx: &ToolContext,
    ) {
    }
}

fn main() {}
