use std::collections::HashMap;

use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Query {
    words: String,
    filters: Vec<Filter>,
}

#[derive(Deserialize, ToolInput)]
struct Filter {
    name: String,
    #[serde(flatten)]
    rest: HashMap<String, serde_json::Value>,
}

/// Search the archive by words.
#[tool(strict = "openai")]
fn search(limit: u8, query: Query) -> usize {
    usize::from(limit) + query.words.len() + query.filters.iter().map(|f| f.name.len() + f.rest.len()).sum::<usize>()
}

fn main() {}
