#![allow(unused_variables)]

use toolwright::{ToolInput, tool};

#[derive(ToolInput)]
struct City {
    name: String,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather(city: City) {}

fn main() {}
