use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::{ToolInput, tools};

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: f64,
}

#[derive(Deserialize, ToolInput)]
struct Stop {
    // It is the deepest, and not the mistake.
    minutes: Vec<Vec<Vec<u8>>>,
    #[tool(schemars)]
    point: Point,
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

fn main() {}
