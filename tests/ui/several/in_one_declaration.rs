#![allow(unused_variables)]

use toolwright::{ToolInput, tool, toolset};

/// Weather.
#[tool(name = "GetWeather", readonly, nam = "x")]
fn get_weather(city: &str, (a, b): (u8, u8), #[tool(defaul)] unit: &[u8]) {}

#[tool]
unsafe fn second<T>() {}

#[derive(serde::Deserialize, ToolInput)]
struct Third {
    #[tool(default)]
    a: u8,
    #[serde(rename = "a")]
    b: u8,
}

fn main() {
    let _ = toolset![get_weather, second];
}
