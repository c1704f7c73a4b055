#![allow(unused_variables)]

use toolwright::tool;

/// Take lists inside lists.
#[tool]
fn dig(deep: Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<u8>>>>>>>>>>>) {}

fn main() {}
