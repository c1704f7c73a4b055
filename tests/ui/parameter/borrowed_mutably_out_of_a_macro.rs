#![allow(unused_variables)]

use toolwright::tool;

macro_rules! weather {
    ($ty:ty) => {
        /// Get the current weather for a city.
        #[tool]
        fn get_weather(city: $ty) {}
    };
}

weather!(&mut str);

fn main() {}
