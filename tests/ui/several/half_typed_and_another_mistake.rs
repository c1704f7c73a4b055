use toolwright::{ToolContext, tool, toolset};

/// Get the weather in a city.
#[tool(nmae = "weather")]
fn get_weather(#[context] _cx: &ToolContext, #[tool(length(1..=80))] days: u8, city: ) -> String {
    city
}

fn main() {
    toolset![get_weather];
}
