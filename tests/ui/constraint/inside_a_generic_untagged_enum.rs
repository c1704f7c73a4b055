#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Mark(#[tool(range(1..=6))] u8);

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum OneOr<T> {
    One(T),
    Text(String),
}

/// Set the mark of a pupil.
#[tool]
fn set_mark(mark: OneOr<Mark>) {}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Query {
    Number {
        #[tool(range(1..=20))]
        number: u8,
    },
    Text(String),
}

#[derive(Deserialize, ToolInput)]
struct InsideAnUntaggedEnum(#[tool(range(1..=6))] u8);

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Query2 {
    Marks(Vec<InsideAnUntaggedEnum>),
    Text(String),
}

fn main() {}
