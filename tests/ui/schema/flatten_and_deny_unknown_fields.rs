use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Outer {
    #[serde(flatten)]
    place: Place,
}

fn main() {}
