use toolwright::{ToolContext, tools};

struct Desk;

#[tools]
impl Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, #[context] _cx: &ToolContext, city: String) -> String
    /// Say what time it is.
    #[tool]
    fn get_time(&self, #[context] _cx: &ToolContext, #[tool(length(1..=80))] city: String) -> String {
        city
    }
}

fn main() {
    Desk.into_tools();
}
