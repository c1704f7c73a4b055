#![allow(unused_variables)]

use toolwright::{tool, tool::CancellationToken};

/// Get the current weather for a city.
#[tool]
async fn get_weather(#[context] stop: Option<CancellationToken>) {}

fn main() {}
