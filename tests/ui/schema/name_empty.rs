#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Place {
    #[serde(rename = "")]
    name: String,
    #[serde(alias = "\u{200b}")]
    street: String,
}

#[derive(serde::Deserialize, ToolInput)]
enum Unit {
    #[serde(rename(deserialize = " "))]
    Celsius,
    Fahrenheit,
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(tag = "", content = "\u{feff}")]
enum Change {
    Rise(u8),
    Fall(u8),
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(rename_all = "PascalCase")]
struct Nothing {
    __: u8,
}

fn main() {}
