#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Never {}

#[derive(Deserialize, ToolInput)]
struct City(#[serde(skip)] String);

fn main() {}
