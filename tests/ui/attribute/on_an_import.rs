#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
use std::time::Duration;

fn main() {}
