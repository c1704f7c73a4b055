use toolwright::tools;

struct Desk;

#[tools]
impl Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: String) -> String {
        city
    }
}

mod forecast {
    #[toolwright::tools]
    impl super::Desk {
        /// Get the weather of some days.
        #[tool]
        fn get_forecast(&self, days: u8) -> u8 {
            days
        }
    }
}

fn main() {}
