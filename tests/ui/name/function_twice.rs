use toolwright::{ToolContext, tool, toolset};

/// Get the weather in a city.
#[tool]
fn get_weather(city: String) -> String {
    city
}

/// Get the weather of some days.
#[tool]
async fn get_weather(#[context] _cx: &ToolContext, days: u8) -> String {
    days.to_string()
}

fn main() {
    toolset![get_weather];
}
