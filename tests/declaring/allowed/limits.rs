//! What is just within the limits.

#![deny(warnings)]
#![allow(
    dead_code,
    clippy::drop_non_drop,
    clippy::type_complexity,
    reason = "only whether it compiles matters"
)]

use serde::Deserialize;
use toolwright::{ToolInput, tool, toolset};

#[derive(Deserialize, ToolInput)]
struct L1 {
    n: u8,
}

#[derive(Deserialize, ToolInput)]
struct L2 {
    n: L1,
}

#[derive(Deserialize, ToolInput)]
struct L3 {
    n: L2,
}

#[derive(Deserialize, ToolInput)]
struct L4 {
    n: L3,
}

#[derive(Deserialize, ToolInput)]
struct L5 {
    n: L4,
}

#[derive(Deserialize, ToolInput)]
struct L6 {
    n: L5,
}

#[derive(Deserialize, ToolInput)]
struct L7 {
    n: L6,
}

#[derive(Deserialize, ToolInput)]
struct L8 {
    n: L7,
}

#[derive(Deserialize, ToolInput)]
struct L9 {
    n: L8,
}

/// Füñf Zéich
#[tool]
fn aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa() {}

#[doc = "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé"]
#[tool]
fn long() {}

#[tool(description = concat!("ééééé", "ééééé"))]
fn short() {}

/// Take nine levels, which makes ten.
#[tool]
fn deep(value: L9) {
    drop(value);
}

/// Take lists inside lists.
#[tool]
fn lists(value: Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<u8>>>>>>>>>>) {
    drop(value);
}

#[test]
fn are_kept() {
    let tools = toolset![
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,
        long,
        short,
        deep,
        lists
    ];
    assert_eq!(tools.len(), 5);
}
