use toolwright::ToolInput;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Point {
    x: f64,
}

#[derive(serde::Deserialize, ToolInput)]
struct Holder {
    #[serde(flatten)]
    #[tool(schemars)]
    point: Point,
}

fn main() {}
