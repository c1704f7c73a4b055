use toolwright::{Execute, Tool, ToolContext, ToolError};

struct Opaque;

#[derive(serde::Deserialize, Tool)]
#[tool(nmae = "weather")]
struct Weather {
    #[tool(length(1..=3))]
    days: u8,
}

impl Execute for Weather {
    type Output = Result<u8, u8>;
    async fn execute(self, _: &ToolContext) -> Result<Self::Output, ToolError> {
        Ok(Ok(1))
    }
}

fn main() {}
