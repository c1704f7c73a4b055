#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize)]
struct Place;

#[derive(serde::Deserialize, ToolInput)]
struct Trip {
    #[tool(range(1..=3))]
    start: Place,
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
enum Stop {
    Named { place: Place },
    Number(u8),
}

fn main() {}
