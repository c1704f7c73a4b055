use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::tool;

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: f64,
}

/// Go to a point on the map.
#[tool(strict = "openai")]
fn go(#[tool(schemars)] points: Vec<Point>) -> f64 {
    points.iter().map(|point| point.x).sum()
}

fn main() {}
