#![allow(unused_variables)]

use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Step {
    name: String,
    next: Option<Box<Step>>,
}

/// Go one step after another.
#[tool]
fn walk(fast: bool, first: Option<Step>) {}

fn main() {}
