use std::num::NonZeroI32;

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Step {
    by: NonZeroI32,
}

fn main() {}
