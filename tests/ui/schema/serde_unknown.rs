use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(renam = "kind")]
enum Unit {
    Celsius,
}

fn main() {}
