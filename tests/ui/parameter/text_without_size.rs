#![allow(dead_code, unused_variables)]

use toolwright::{Tool, ToolInput, tool};

/// Get the weather in a city.
#[tool]
async fn get_weather(city: str) -> String {
    city.to_owned()
}

/// Get the weather in some cities.
#[tool]
fn list_without_size(_cities: [String], _city: String) {}

trait Db {}

/// Get the weather in a city.
#[tool]
fn context_without_size(#[context] _db: dyn Db) {}

/// Get the weather in a city.
#[tool]
fn without_size() -> str {
    *""
}

/// Search the documentation, best first.
#[derive(Tool)]
struct SearchDocs {
    words: [str],
}

#[derive(ToolInput)]
struct Search {
    bytes: [u8],
    words: String,
}

fn main() {}
