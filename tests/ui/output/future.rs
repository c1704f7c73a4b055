use toolwright::tool;

/// Get the weather in a city.
#[tool]
fn get_weather() -> impl Future<Output = String> {
    async { String::new() }
}

fn main() {}
