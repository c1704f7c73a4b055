#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

type Name<'a> = &'a str;

#[derive(Deserialize, ToolInput)]
struct City<'a> {
    #[serde(borrow)]
    name: Name<'a>,
}

fn main() {}
