#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool(descripton = "Get the weather.")]
fn get_weather() {}

/// Get the current weather for a city.
#[tool(read_only, retry = 3, rate = "30/min")]
fn key_that_begins_alike() {}

#[tool(descripton = "Get the weather in a city.")]
fn description_misspelled(_city: String) {}

/// Get the weather in a city.
#[tool(desc "Get the weather in a city.")]
fn unknown_key_before_a_text(_city: String) {}

/// Get the current weather for a city.
#[tool(zebra)]
fn key_without_a_neighbour() {}

/// Get the current weather for a city.
#[tool]
fn unknown_key_of_parameter(#[tool(defalt)] city: String) {}

/// Get the current weather for a city.
#[tool(readonly)]
fn near_miss() {}

/// Get the current weather for a city.
#[tool]
fn key_near_miss(#[tool(rnage(1..=5))] value: u8) {}

/// Do something with a value.
#[tool(json_schema)]
fn act(_value: u8) {}

/// Get the current weather for a city.
#[tool(readonly, retries = 2)]
fn retries_beside_a_near_miss(city: String) -> String {
    city
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(desciption = "…")]
    fn find(&self) {}
}

struct KeyOfAFunction;

#[tools]
impl KeyOfAFunction {
    /// Find products by a word in their name.
    #[tool(type = Find)]
    fn find(&self) {}
}

struct KeyOfAParameterUnknown;

#[tools]
impl KeyOfAParameterUnknown {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(defalt)] limit: u8) {}
}

struct KeyOfTheBlockUnknown;

#[tools(function = admin_tools)]
impl KeyOfTheBlockUnknown {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(nme = "search_docs")]
struct Search { query: String }

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

/// Search2 the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(type = Search2)]
struct Search2 { query: String }

impl Execute for Search2 {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(Deserialize, ToolInput)]
#[tool(name = "city")]
struct City {
    name: String,
}

#[derive(Deserialize, ToolInput)]
enum Query {
    #[tool(range(1..=20))]
    Number(u8),
    Text,
}

#[derive(serde::Deserialize, ToolInput)]
enum Shape {
    #[tool(schemars)]
    Circle(u8),
}

#[derive(serde::Deserialize, ToolInput)]
struct Holder {
    #[tool(schemar)]
    value: u8,
}

/// Do something with a value.
#[tool]
fn act_2(#[tool(schema)] _value: u8, _holder: Holder) {}

fn main() {}
