use toolwright::{ToolContext, tool};

struct Desk;

impl Desk {
    /// Get the weather in a city.
    #[tool]
    pub async fn get_weather(#[context] _cx: &ToolContext, #[tool(length(1..=80))] city: String) -> String {
        city
    }
}

fn main() {
    Desk::get_weather(&ToolContext::default(), String::new());
}
