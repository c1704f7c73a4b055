#![allow(unused_variables)]

use toolwright::tool;

struct Shop;

impl Shop {
    /// Get the current weather for a city.
    #[tool]
    fn get_weather(&self, city: String) {}
}

fn main() {}
