#![allow(unused_variables)]

use toolwright::tool;

const TEXT: &str = "  weather  ";

#[tool(description = TEXT)]
fn get_weather() {}

fn main() {}
