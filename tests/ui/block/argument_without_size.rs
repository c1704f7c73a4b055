use toolwright::tools;

struct Desk;

#[tools]
impl Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: str) -> String {
        city.to_owned()
    }
}

fn main() {
    Desk.into_tools();
}
