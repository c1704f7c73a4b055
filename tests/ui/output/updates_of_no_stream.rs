use toolwright::{tool, tool::Updates};

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Updates<Vec<u8>> {
    Updates(Vec::new())
}

fn main() {}
