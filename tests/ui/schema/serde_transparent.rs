use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(transparent)]
struct City {
    name: String,
}

fn main() {}
