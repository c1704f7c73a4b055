use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError};

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: f64,
}

/// Go to a point on the map.
#[derive(Deserialize, Tool)]
#[tool(strict = "anthropic")]
struct Go {
    #[tool(schemars)]
    point: Point,
}

impl Execute for Go {
    type Output = f64;

    async fn execute(self, _: &ToolContext) -> Result<f64, ToolError> {
        Ok(self.point.x)
    }
}

fn main() {}
