#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool(type = "GetWeather")]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(title = 5)]
fn title_not_a_text() {}

/// Get the current weather for a city.
#[tool(read_only = "yes")]
fn hint_with_a_text() {}

/// Get the current weather for a city.
#[tool(open_world(false))]
fn hint_in_parentheses() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(read_only = "yes")]
    fn find(&self) {}
}

struct KeyOfTheBlockIsNoName;

#[tools(fn = "admin_tools")]
impl KeyOfTheBlockIsNoName {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(read_only = "yes")]
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
#[tool(crate = "toolwright")]
struct City {
    name: String,
}

fn main() {}
