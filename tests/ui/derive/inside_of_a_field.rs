#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

#[derive(serde::Deserialize)]
struct Place;

/// Plan a trip through some places.
#[derive(serde::Deserialize, Tool)]
struct Plan {
    places: Vec<Option<Place>>,
}

impl Execute for Plan {
    type Output = u8;

    async fn execute(self, _: &ToolContext) -> Result<u8, ToolError> {
        Ok(1)
    }
}

fn main() {}
