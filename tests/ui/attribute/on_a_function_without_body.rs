#![allow(dead_code)]

use toolwright::tool;

unsafe extern "C" {
    /// Get the current weather for a city.
    #[tool]
    safe fn get_weather();

    /// Get the weather of tomorrow for a city.
    #[tool]
    fn get_forecast();
}

trait Weather {
    /// Get the weather of yesterday for a city.
    #[tool]
    fn get_history();
}

fn main() {}
