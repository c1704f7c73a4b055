#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
unsafe extern "C" {
    fn get_weather(city: u8);
}

fn main() {}
