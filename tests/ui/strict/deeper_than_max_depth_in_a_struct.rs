use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

#[derive(Deserialize, ToolInput)]
struct Day {
    number: u8,
}

/// List what is in the calendar.
#[derive(Deserialize, Tool)]
#[tool(max_depth = 1, strict = "openai")]
struct ListEvents {
    day: Day,
}

impl Execute for ListEvents {
    type Output = u8;

    async fn execute(self, _: &ToolContext) -> Result<u8, ToolError> {
        Ok(self.day.number)
    }
}

fn main() {}
