#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools, tool::OutputPart};

struct Weather;

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Weather {
    Weather
}

struct NoSerializeInResult;

/// Get the current weather for a city.
#[tool]
fn no_serialize_in_result() -> Result<NoSerializeInResult, ToolError> {
    Ok(NoSerializeInResult)
}

/// Get the weather in a city.
#[tool]
fn future() -> impl Future<Output = String> {
    async { String::new() }
}

/// Get the current weather for a city.
#[tool]
async fn list_of_parts() -> Vec<OutputPart> {
    Vec::new()
}

/// Get the current weather for a city.
#[tool]
async fn reference_to_no_serialize(#[context] cx: &ToolContext) -> &ToolContext {
    cx
}

struct Found;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Found {
        Found
    }
}

struct OutputNoSerializeInResult;

struct Shop2;

#[tools]
impl Shop2 {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Result<OutputNoSerializeInResult, ToolError> {
        Ok(OutputNoSerializeInResult)
    }
}

struct OutputNoSerialize;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search { query: String }

impl Execute for Search {
    type Output = OutputNoSerialize;

    async fn execute(self, _: &ToolContext) -> Result<OutputNoSerialize, ToolError> {
        Ok(OutputNoSerialize)
    }
}

fn main() {}
