#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

const TEXT: &str = "  weather  ";

#[tool(description = TEXT)]
fn get_weather() {}

#[tool(description = concat!("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"))]
fn macro_too_long() {}

#[doc = concat!("a", "b")]
#[tool]
fn included_doc_too_short() {}

struct Shop;

#[tools]
impl Shop {
    #[tool(description = concat!("Find", " it"))]
    fn find(&self, word: String) {}
}

struct DescriptionIncludedTooShort;

#[tools]
impl DescriptionIncludedTooShort {
    #[doc = concat!("a", "b")]
    #[tool]
    fn find(&self) {}
}

#[derive(serde::Deserialize, Tool)]
#[tool(description = concat!("Sea", "rch"))]
struct Search { query: String }

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[doc = concat!("a", "b")]
#[derive(serde::Deserialize, Tool)]
struct Search2 {
    query: String,
}

impl Execute for Search2 {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
