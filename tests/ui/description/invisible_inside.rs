#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tool};

const NOTHING: &str = "\u{200b}";

/// Get the current weather for a city.
#[tool]
fn get_weather(
    #[tool(description = NOTHING)] unit: String,
    #[tool(description = "\u{200b}")] city: String,
    #[tool(description = "")] place: Place,
) {
}

#[derive(serde::Deserialize, ToolInput)]
struct Place {
    #[tool(description = "\u{2060}\u{2060}")]
    latitude: f64,
}

fn main() {}
