use toolwright::{tools, toolset};

struct Desk;

#[tools]
impl Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self) {}
}

fn main() {
    toolset![Desk];
}
