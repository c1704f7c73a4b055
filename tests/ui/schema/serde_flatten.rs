use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Deserialize, ToolInput)]
struct Inner {
    city: String,
}

fn main() {}
