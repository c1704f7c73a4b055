#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather() -> Result<(), Box<dyn std::error::Error>> {
    Ok(())
}

fn main() {}
