#![allow(dead_code, unused_variables)]

use toolwright::Tool;

/// Ask the user for a colour.
#[derive(serde::Deserialize, Tool)]
#[tool(external, timeout = "5s", retries = 2, rate_limit = "30/min", spawn, inline)]
struct ChooseColour {
    question: String,
}

fn main() {}
