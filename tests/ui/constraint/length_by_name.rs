use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(length(max = 80))] city: String) -> String {
    city
}

fn main() {}
