use std::collections::HashMap;

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    rest: HashMap<String, String>,
    #[serde(flatten)]
    place: Place,
}

fn main() {}
