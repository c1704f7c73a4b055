#![allow(dead_code, unused_variables)]

use std::collections::HashMap;
use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: f64,
}

/// Go to a point on the map.
#[tool(strict = "openai")]
fn go(#[tool(schemars)] points: Vec<Point>) -> f64 {
    points.iter().map(|point| point.x).sum()
}

#[derive(Deserialize, JsonSchema)]
struct ForeignInABlock {
    x: f64,
}

#[derive(Deserialize, ToolInput)]
struct Stop {
    // It is the deepest, and not the mistake.
    minutes: Vec<Vec<Vec<u8>>>,
    #[tool(schemars)]
    point: ForeignInABlock,
}

struct Map;

#[tools]
impl Map {
    /// Go to points on the map.
    #[tool(strict = "portable")]
    fn go(&self, routes: HashMap<String, Vec<Stop>>) -> f64 {
        let stops = routes.into_values().flatten();
        stops.map(|stop| stop.minutes.len() as f64 + stop.point.x).sum()
    }
}

#[derive(Deserialize, JsonSchema)]
struct ForeignInAStruct {
    x: f64,
}

/// Go to a point on the map.
#[derive(Deserialize, Tool)]
#[tool(strict = "anthropic")]
struct Go {
    #[tool(schemars)]
    point: ForeignInAStruct,
}

impl Execute for Go {
    type Output = f64;

    async fn execute(self, _: &ToolContext) -> Result<f64, ToolError> {
        Ok(self.point.x)
    }
}

fn main() {}
