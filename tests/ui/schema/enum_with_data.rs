use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Shape {
    Point,
    Circle { radius: f64 },
}

fn main() {}
