use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(approval = "always")]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
