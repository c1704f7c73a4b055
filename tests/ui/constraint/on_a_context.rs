#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(
    #[context]
    #[tool(length(1..=5))]
    cx: &ToolContext,
) {
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[context] #[tool(length(1..))] cx: &ToolContext) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(skip)]
    #[tool(range(1..=5))]
    value: u8,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

/// OnAFlattenedFieldOfAStruct the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct OnAFlattenedFieldOfAStruct {
    #[serde(flatten)]
    #[tool(length(1..=5))]
    rest: std::collections::HashMap<String, u8>,
}

impl Execute for OnAFlattenedFieldOfAStruct {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[derive(Deserialize, ToolInput)]
struct Query {
    text: String,
    #[serde(skip)]
    #[tool(range(1..=20))]
    limit: u8,
}

#[derive(Deserialize, ToolInput)]
struct OnAFlattenedField {
    #[serde(flatten)]
    #[tool(length(1..=20))]
    page: Page,
}

#[derive(Deserialize, ToolInput)]
struct Page {
    start: u32,
}

#[derive(Deserialize, ToolInput)]
struct Point(#[tool(range(-90..=90))] i32, i32);

#[derive(serde::Deserialize, ToolInput)]
struct Score(#[tool(description = "A mark.")] u8);

#[derive(serde::Deserialize, ToolInput)]
struct DescriptionOfAnUnnamedField {
    score: Score,
}

#[derive(serde::Deserialize, ToolInput)]
struct UnderAConstraint {
    #[tool(schemars, range(1..=5))]
    value: u8,
}

fn main() {}
