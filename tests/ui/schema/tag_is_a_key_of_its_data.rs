use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "city")]
enum Where {
    Place(Place),
}

fn main() {}
