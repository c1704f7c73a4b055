use toolwright::{Execute, Tool, ToolContext, ToolError};

const PAYMENTS: u32 = 1;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(requires(network, PAYMENTS))]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
