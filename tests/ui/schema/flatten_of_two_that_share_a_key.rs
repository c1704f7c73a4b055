use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Town {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    town: Town,
}

fn main() {}
