use toolwright::tools;

struct Desk;

#[tools]
impl Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: String) -> String {
        city
    }

    /// Get the weather of some days.
    #[tool]
    async fn get_weather(&self, days: u8) -> String {
        days.to_string()
    }
}

fn main() {}
