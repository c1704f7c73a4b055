use toolwright::tool;

trait Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
