use toolwright::{tool, toolset};

/// Get the current weather for a city.
#[tool]
fn get_weather() {}

fn main() {
    let _ = toolset![#[allow(unused)] get_weather];
}
