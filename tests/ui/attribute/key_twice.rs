#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool(name = "a", name = "b")]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(idempotent, idempotent)]
fn hint_twice() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(name = "a", name = "b")]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(name = "a", name = "b")]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(serde::Deserialize, ToolInput)]
#[tool(crate = ::toolwright, crate = ::toolwright)]
struct City {
    name: String,
}

fn main() {}
