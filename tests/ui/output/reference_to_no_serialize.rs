use toolwright::{ToolContext, tool};

/// Get the current weather for a city.
#[tool]
async fn get_weather(#[context] cx: &ToolContext) -> &ToolContext {
    cx
}

fn main() {}
