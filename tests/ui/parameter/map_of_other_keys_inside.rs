use std::collections::HashMap;
use toolwright::tool;

/// Get the weather at some times.
#[tool]
fn get_weather(_at: Vec<HashMap<u32, u8>>) {}

fn main() {}
