use toolwright::{ToolContext, tool, toolset};

/// Get the weather in a city.
#[tool]
fn get_weather(#[context] _cx: &ToolContext, #[tool(length(1..=80))] city: String, days: ) -> String {
    city
}

fn main() {
    toolset![get_weather];
    get_weather(&ToolContext::default(), String::new(), 5);
}
