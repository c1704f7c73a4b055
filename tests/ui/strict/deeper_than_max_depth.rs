#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

#[derive(Deserialize, ToolInput)]
struct Range {
    start: Day,
}

#[derive(Deserialize, ToolInput)]
struct Day {
    number: u8,
}

/// List what is in the calendar.
#[tool(max_depth = 2, strict = "portable")]
fn list_events(limit: u8, range: Range) -> u8 {
    limit + range.start.number
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(max_depth = 1)]
    fn find(&self, words: Vec<Vec<String>>) -> usize {
        words.len()
    }
}

#[derive(Deserialize, ToolInput)]
struct DeeperThanMaxDepthInAStruct {
    number: u8,
}

/// List what is in the calendar.
#[derive(Deserialize, Tool)]
#[tool(max_depth = 1, strict = "openai")]
struct ListEvents {
    day: DeeperThanMaxDepthInAStruct,
}

impl Execute for ListEvents {
    type Output = u8;

    async fn execute(self, _: &ToolContext) -> Result<u8, ToolError> {
        Ok(self.day.number)
    }
}

fn main() {}
