#![allow(dead_code, unused_variables)]

mod of_a_module {
    use toolwright::tool;

    mod weather {}

    /// Get the weather in a city.
    #[tool]
    fn weather(city: String) -> String {
        city
    }
}

mod of_a_struct {
    use toolwright::tool;

    struct Weather;

    /// Get the weather in a city.
    #[tool(type = Weather)]
    fn weather(city: String) -> String {
        city
    }
}

mod of_a_crate {
    use toolwright::tool;

    extern crate serde_json;

    /// Say what is JSON.
    #[tool]
    fn serde_json(text: String) -> String {
        text
    }
}

mod of_the_type_of_another_tool {
    use toolwright::tool;

    /// Get the weather in a city.
    #[tool(type = Weather)]
    fn get_weather(city: String) -> String {
        city
    }

    /// Get the weather of some days.
    #[tool(type = Weather)]
    fn get_forecast(days: u8) -> u8 {
        days
    }
}

fn main() {}
