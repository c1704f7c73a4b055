#![allow(unused_variables)]

use toolwright::tool;

struct Pool;

/// Get the current weather for a city.
#[tool]
async fn get_weather(#[context] pool: Pool) {}

fn main() {}
