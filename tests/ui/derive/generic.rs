#![allow(dead_code)]

use toolwright::Tool;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search<T> { query: Vec<T> }

fn main() {}
