#![allow(dead_code)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Deserialize, ToolInput)]
struct Query {
    #[tool(example = "Kelvin")]
    unit: Unit,
}

fn main() {}
