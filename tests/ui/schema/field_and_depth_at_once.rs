#![allow(unused_variables)]

use serde::Deserialize;
use toolwright::{ToolInput, tool};

struct Opaque;

#[derive(ToolInput)]
struct First {
    opaque: Opaque,
}

#[derive(Deserialize, ToolInput)]
struct Second {
    again: Vec<Second>,
}

/// Take one that cannot be and one that never ends.
#[tool]
fn take(second: Second) {}

fn main() {}
