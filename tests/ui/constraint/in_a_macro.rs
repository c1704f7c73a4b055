#![allow(unused_variables)]

use toolwright::tool;

macro_rules! weather {
    ($name:ident, $most:expr) => {
        /// Get the current weather for a city.
        #[tool]
        fn $name(#[tool(range(1..=$most))] days: u8) {}
    };
}

weather!(get_weather, 20);
weather!(get_forecast, 300);

fn main() {}
