#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the current weather for a city.
#[tool]
fn GetWeather() {}

/// Get the current weather for a city.
#[tool(name = "get-weather")]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(name = "get_wetter_für_ort")]
fn not_ascii() {}

/// Get the current weather for a city.
#[tool]
fn _get_weather() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    #[allow(non_snake_case)]
    fn Find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(name = "search-docs")]
struct Search { query: String }

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
