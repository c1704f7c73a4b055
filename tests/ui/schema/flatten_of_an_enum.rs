use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Shape {
    Point,
    Circle { radius: f64 },
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    shape: Shape,
}

fn main() {}
