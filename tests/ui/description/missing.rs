#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

#[tool]
fn get_weather() {}

///
///   
#[tool]
fn blank() {}

/// # Errors
///
/// Never, it cannot fail.
#[tool]
fn only_a_heading() {}

struct Shop;

#[tools]
impl Shop {
    #[tool]
    fn find(&self, word: String) {}
}

#[derive(serde::Deserialize, Tool)]
struct Search { query: String }

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
