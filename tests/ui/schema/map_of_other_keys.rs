#![allow(dead_code)]

use std::collections::HashMap;

use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Prices {
    by_number: HashMap<u8, String>,
}

fn main() {}
