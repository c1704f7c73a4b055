use toolwright::tool;

trait Weather {
    fn get_weather(&self, city: String) -> String;
}

struct Desk;

impl Weather for Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
