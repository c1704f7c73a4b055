use toolwright::tool;

mod sky {
    pub mod weather {}
}

use sky::weather;

/// Get the weather in a city.
#[tool]
fn weather(city: String) -> String {
    city
}

fn main() {}
