#![allow(dead_code, unused_variables)]

use toolwright::tool;

trait Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: String) -> String {
        city
    }
}

trait InATraitWithoutBody {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: String) -> String;
}

trait Weather {
    fn get_weather(&self, city: String) -> String;
}

struct InTheImplOfATrait;

impl Weather for InTheImplOfATrait {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
