use toolwright::tools;

struct Desk;

#[tools]
impl Desk {
    /// Get the weather in some cities.
    #[tool]
    async fn get_weather(&self, _cities: Vec<Option<Strng>>) -> Option<Strng> {
        None
    }
}

fn main() {
    Desk.into_tools();
}
