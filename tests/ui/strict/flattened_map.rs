#![allow(dead_code, unused_variables)]

use std::{collections::BTreeMap, collections::HashMap};
use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

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

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum FlattenedMapInABlock {
    Any(BTreeMap<String, serde_json::Value>),
    None,
}

struct Archive;

#[tools]
impl Archive {
    /// Search the archive by words.
    #[tool(strict = "anthropic")]
    fn search(&self, filter: FlattenedMapInABlock) -> usize {
        match filter {
            FlattenedMapInABlock::Any(all) => all.len(),
            FlattenedMapInABlock::None => 0,
        }
    }
}

/// Search the archive by words.
#[derive(Deserialize, Tool)]
#[tool(strict = "portable")]
struct Search {
    words: String,
    #[serde(flatten)]
    rest: HashMap<String, serde_json::Value>,
}

impl Execute for Search {
    type Output = usize;

    async fn execute(self, _: &ToolContext) -> Result<usize, ToolError> {
        Ok(self.words.len() + self.rest.len())
    }
}

#[derive(Deserialize, ToolInput)]
struct FlattenedMapInAnEnum {
    words: String,
    query: Option<Query2>,
}

#[derive(Deserialize, ToolInput)]
enum Query2 {
    All,
    Where {
        negated: bool,
        filters: (u8, Vec<Filter2>),
    },
}

#[derive(Deserialize, ToolInput)]
struct Filter2 {
    name: String,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// FlattenedMapInAnEnum the archive by words.
#[tool(strict = "openai")]
fn flattened_map_in_an_enum(flattened_map_in_an_enum: FlattenedMapInAnEnum) -> usize {
    flattened_map_in_an_enum.words.len() + match flattened_map_in_an_enum.query {
        Some(Query2::Where { negated: false, filters: (first, rest) }) => {
            usize::from(first) + rest.iter().map(|f| f.name.len() + f.rest.len()).sum::<usize>()
        }
        Some(Query2::Where { negated: true, .. } | Query2::All) | None => 0,
    }
}

fn main() {}
