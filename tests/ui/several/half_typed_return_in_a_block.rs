use toolwright::{ToolContext, tools};

struct Desk;

#[tools]
impl Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, #[context] _cx: &ToolContext, city: String) -> {
        city
    }
}

fn main() {
    Desk.into_tools();
}
