use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
    #[serde(alias = "city")]
    town: String,
}

fn main() {}
