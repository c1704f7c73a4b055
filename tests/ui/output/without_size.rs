use toolwright::tool;

/// Get the weather in a city.
#[tool]
fn get_weather() -> str {
    *""
}

fn main() {}
