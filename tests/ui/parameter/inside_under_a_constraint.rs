#![allow(unused_variables)]

use toolwright::tool;

type Number = u128;

/// Add some numbers.
#[tool]
fn add(#[tool(length(1..=3))] numbers: Vec<Option<Number>>) {}

fn main() {}
