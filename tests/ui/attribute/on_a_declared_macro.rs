#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
macro_rules! weather {
    () => {};
}

fn main() {}
