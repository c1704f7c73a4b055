#![allow(unused_variables)]

use toolwright::{tool, toolset};

mod other {
    /// Get the weather in another way.
    #[toolwright::tool(name = "get_weather")]
    pub fn weather() {}
}

/// Get the current weather for a city.
#[tool]
fn get_weather() {}

fn main() {
    let _ = toolset![get_weather, other::weather];
}
