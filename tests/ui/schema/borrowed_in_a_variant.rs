#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum City<'a> {
    Named { name: &'a str },
}

fn main() {}
