use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(rename = "city")]
    town: String,
    #[serde(flatten)]
    place: Place,
}

fn main() {}
