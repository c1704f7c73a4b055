use std::collections::BTreeMap;

use serde::Deserialize;
use toolwright::{ToolInput, tools};

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Filter {
    Any(BTreeMap<String, serde_json::Value>),
    None,
}

struct Archive;

#[tools]
impl Archive {
    /// Search the archive by words.
    #[tool(strict = "anthropic")]
    fn search(&self, filter: Filter) -> usize {
        match filter {
            Filter::Any(all) => all.len(),
            Filter::None => 0,
        }
    }
}

fn main() {}
