use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Unit {
    Celsius,
}

fn main() {}
