use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Length {
    Metres(u32),
}

fn main() {}
