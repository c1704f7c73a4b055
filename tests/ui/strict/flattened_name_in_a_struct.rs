use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

/// Set the size of the window.
#[derive(Deserialize, Tool)]
#[tool(strict = "portable")]
struct Resize {
    width: u32,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Deserialize, ToolInput)]
struct Rest {
    #[serde(rename = "max-height")]
    height: u32,
}

impl Execute for Resize {
    type Output = u32;

    async fn execute(self, _: &ToolContext) -> Result<u32, ToolError> {
        Ok(self.width + self.rest.height)
    }
}

fn main() {}
