use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    place: Option<Place>,
}

fn main() {}
