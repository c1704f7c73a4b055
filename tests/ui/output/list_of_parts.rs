use toolwright::{tool, tool::OutputPart};

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Vec<OutputPart> {
    Vec::new()
}

fn main() {}
