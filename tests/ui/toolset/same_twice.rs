use toolwright::{tool, toolset};

/// Get the current weather for a city.
#[tool]
fn get_weather() {}

fn main() {
    let _ = toolset![
        get_weather,
        #[cfg(any())]
        get_weather,
        get_weather,
    ];
}
