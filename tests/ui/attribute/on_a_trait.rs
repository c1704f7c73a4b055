#![allow(dead_code, unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
trait Weather {
    fn get(&self, city: String);
}

fn main() {}
