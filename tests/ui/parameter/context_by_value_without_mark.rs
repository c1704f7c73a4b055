#![allow(unused_variables)]

use toolwright::{tool, tool::CancellationToken};

/// Get the current weather for a city.
#[tool]
async fn get_weather(stop: CancellationToken) {}

fn main() {}
