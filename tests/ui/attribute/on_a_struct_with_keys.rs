#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
struct GetWeather {
    #[tool(default)]
    city: String,
}

fn main() {}
