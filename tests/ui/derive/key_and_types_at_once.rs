#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

#[derive(serde::Deserialize)]
struct Place;

/// Get the weather forecast for a city.
#[derive(serde::Deserialize, Tool)]
struct Weather {
    #[tool(lenght(1..=3))]
    city: String,
    #[tool(range(1..=))]
    days: u8,
    place: Place,
    #[tool(range(1..=3))]
    unit: String,
}

impl Execute for Weather {
    type Output = Result<u8, u8>;

    async fn execute(self, _: &ToolContext) -> Result<Self::Output, ToolError> {
        Ok(Ok(1))
    }
}

fn main() {}
