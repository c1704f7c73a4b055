use std::collections::HashMap;

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Middle {
    #[serde(flatten)]
    place: Place,
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    middle: Middle,
    #[serde(flatten)]
    rest: HashMap<String, String>,
}

fn main() {}
