use toolwright::{ToolError, tool};

struct Weather;

/// Get the current weather for a city.
#[tool]
fn get_weather() -> Result<Weather, ToolError> {
    Ok(Weather)
}

fn main() {}
