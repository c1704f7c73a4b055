use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    name: String,
}

fn main() {}
