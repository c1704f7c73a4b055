#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct City<'a> {
    #[serde(borrow)]
    name: Option<&'a str>,
}

fn main() {}
