#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize)]
struct Place;

#[derive(serde::Deserialize, ToolInput)]
struct Trip {
    #[tool(exmaple = 3)]
    days: u8,
    #[tool(schemar)]
    hotel: Place,
    start: Place,
    #[tool(example = "two")]
    people: u8,
    #[serde(rename = "people")]
    others: u8,
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
enum Guest {
    Known {
        #[tool(range(1..=9))]
        number: u8,
        place: Place,
    },
    New(Place),
}

fn main() {}
