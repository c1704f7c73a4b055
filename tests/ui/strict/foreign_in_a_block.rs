use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::tools;

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: f64,
}

struct Map;

#[tools]
impl Map {
    /// Go to a point on the map.
    #[tool(strict = "portable")]
    fn go(&self, #[tool(schemars)] point: Point) -> f64 {
        point.x
    }
}

fn main() {}
