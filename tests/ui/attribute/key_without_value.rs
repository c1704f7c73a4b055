#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool(name)]
fn get_weather() {}

#[tool(description)]
fn description_without_value(_city: String) {}

/// Get the weather in a city.
#[tool(name =)]
fn value_left_out(_city: String) {}

/// Get the weather in a city.
#[tool]
fn value_of_default_left_out(#[tool(default = )] _days: u8) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(name =)]
    fn find(&self) {}
}

struct ValueOfDefaultLeftOut;

#[tools]
impl ValueOfDefaultLeftOut {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(default = )] limit: u8) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(name =)]
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
#[tool(crate)]
struct City {
    name: String,
}

fn main() {}
