use toolwright::tool;

mod weather {}

/// Get the weather in a city.
#[tool]
fn weather(city: String) -> String {
    city
}

fn main() {}
