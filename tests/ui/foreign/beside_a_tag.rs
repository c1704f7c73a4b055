use toolwright::ToolInput;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Point {
    x: f64,
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Place {
    At(#[tool(schemars)] Point),
}

fn main() {}
