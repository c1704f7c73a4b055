#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Find products by the day of their arrival.
#[derive(serde::Deserialize, Tool)]
struct Find {
    #[tool(format = "date", example = "tomorrow")]
    day: String,
}

impl Execute for Find {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
