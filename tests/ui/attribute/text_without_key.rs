#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

#[tool("Get the current weather.")]
fn get_weather() {}

#[tool("Weather.")]
fn text_without_key_too_short() {}

struct Shop;

#[tools]
impl Shop {
    #[tool("Find products by a word.")]
    fn find(&self) {}
}

#[derive(serde::Deserialize, Tool)]
#[tool("Search the documentation.")]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
