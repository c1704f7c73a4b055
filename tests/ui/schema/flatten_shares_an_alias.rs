use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Middle {
    #[serde(flatten)]
    place: Box<Place>,
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    middle: Middle,
    #[serde(alias = "city")]
    town: String,
}

fn main() {}
