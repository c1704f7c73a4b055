use toolwright::tool;

struct Failed;

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Result<String, Failed> {
    Err(Failed)
}

fn main() {}
