#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

#[tool(description = 5)]
fn get_weather() {}

struct Shop;

#[tools]
impl Shop {
    #[tool(description = 5)]
    fn find(&self) {}
}

#[derive(serde::Deserialize, Tool)]
#[tool(description = 5)]
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
