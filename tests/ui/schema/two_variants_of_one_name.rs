#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Unit {
    Celsius,
    #[serde(rename = "Celsius")]
    Fahrenheit,
}

#[derive(Deserialize, ToolInput)]
enum Shape {
    Circle { radius: f64 },
    #[serde(alias = "Circle")]
    Square { side: f64 },
}

fn main() {}
