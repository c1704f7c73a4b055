#![allow(dead_code, unused_variables)]

use toolwright::{ToolError, tool};

struct Failed;

/// Get the current weather for a city.
#[tool]
fn get_weather() -> Result<Result<String, Failed>, ToolError> {
    Ok(Err(Failed))
}

fn main() {}
