use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Unit {
    Celsius,
    #[serde(untagged)]
    Other(String),
}

fn main() {}
