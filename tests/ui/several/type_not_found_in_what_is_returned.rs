use toolwright::{ToolError, tool};

/// Get the weather in a city.
#[tool]
async fn get_weather(_city: String) -> Result<Vec<Strng>, ToolError> {
    Ok(vec![])
}

fn main() {}
