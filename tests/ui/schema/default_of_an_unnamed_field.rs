use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Point(f64, #[serde(default)] f64);

fn main() {}
