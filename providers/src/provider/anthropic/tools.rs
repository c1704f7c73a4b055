//! Tools as this API takes them.

use serde::Serialize;
use toolwright_core::{schema::Schema, tool::Strict};
use toolwright_json::JsonText;

use super::{PROVIDER, codec::Messages};
use crate::{
    codec::tool_list::{SentTool, ToolForm, json_of},
    profile::Profile,
};

/// The search of the provider: `ToolSearchToolBm25_20251119Param` of anthropic-python.
const SEARCH: SearchTool = SearchTool {
    r#type: "tool_search_tool_bm25_20251119",
    name: "tool_search_tool_bm25",
};

/// A tool that the provider runs.
#[derive(Debug, Clone, Copy, Serialize)]
struct SearchTool {
    r#type: &'static str,
    name: &'static str,
}

/// An entry of the list.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Tool(&'a Tool<'a>),
    Search(SearchTool),
}

#[derive(Debug, Serialize)]
pub(crate) struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Schema,
    /// Left out it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    /// Left out it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    defer_loading: Option<bool>,
}

impl ToolForm for Messages {
    const NAME: &'static str = PROVIDER;

    type Tool<'a> = Tool<'a>;

    fn strict(rules: Strict) -> Option<Profile> {
        // By whose rules ever: what a request has room for is the server's own.
        let room = Profile::anthropic_strict().budget;
        (rules != Strict::OpenAi).then(|| Profile {
            budget: room,
            ..Profile::of(rules)
        })
    }

    fn plain() -> Profile {
        Profile::anthropic()
    }

    fn write(tool: SentTool<'_>) -> Tool<'_> {
        Tool {
            name: tool.name,
            description: tool.description,
            // It cannot be left out here.
            input_schema: tool.parameters.unwrap_or(tool.own_parameters),
            strict: tool.strict.then_some(true),
            defer_loading: tool.deferred.then_some(true),
        }
    }

    fn list(tools: &[Tool<'_>]) -> JsonText {
        if tools.iter().all(|tool| tool.defer_loading.is_none()) {
            return json_of(tools);
        }
        // The last tool may get a mark for the cache, which a deferred one must not have.
        let search = [Entry::Search(SEARCH)];
        let all: Vec<_> = tools.iter().map(Entry::Tool).chain(search).collect();
        json_of(&all)
    }
}
