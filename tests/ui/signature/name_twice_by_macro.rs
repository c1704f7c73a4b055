#![allow(unused_variables)]

use toolwright::tool;

macro_rules! make {
    ($name:ident) => {
        /// Get the current weather for a city.
        #[tool]
        fn get_weather($name: String, city: String) {}
    };
}

make!(city);

fn main() {}
