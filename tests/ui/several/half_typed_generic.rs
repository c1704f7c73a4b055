use toolwright::{ToolContext, tool, toolset};

/// Get the weather in some cities.
#[tool]
fn get_weather(#[context] _cx: &ToolContext, #[tool(length(1..=80))] cities: Vec<) -> String {
    String::new()
}

fn main() {
    toolset![get_weather];
}
