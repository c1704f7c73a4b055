#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
thread_local! {
    static WEATHER: u8 = 1;
}

fn main() {}
