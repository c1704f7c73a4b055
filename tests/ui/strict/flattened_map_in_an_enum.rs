use std::collections::BTreeMap;

use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Search {
    words: String,
    query: Option<Query>,
}

#[derive(Deserialize, ToolInput)]
enum Query {
    All,
    Where {
        negated: bool,
        filters: (u8, Vec<Filter>),
    },
}

#[derive(Deserialize, ToolInput)]
struct Filter {
    name: String,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// Search the archive by words.
#[tool(strict = "openai")]
fn search(search: Search) -> usize {
    search.words.len() + match search.query {
        Some(Query::Where { negated: false, filters: (first, rest) }) => {
            usize::from(first) + rest.iter().map(|f| f.name.len() + f.rest.len()).sum::<usize>()
        }
        Some(Query::Where { negated: true, .. } | Query::All) | None => 0,
    }
}

fn main() {}
