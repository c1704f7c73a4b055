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

fn main() {}
