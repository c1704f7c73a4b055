#![allow(dead_code)]

use toolwright::ToolInput;

#[derive(ToolInput)]
struct Page {
    number: ,
    size: u8,
}

fn main() {}
