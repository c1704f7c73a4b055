//! Tools as this API takes them.

use serde::Serialize;
use toolwright_json::JsonText;
use toolwright_runtime::{schema::Schema, tool::Strict};

use super::{PROVIDER, codec::Responses};
use crate::{
    codec::tool_list::{SentTool, ToolForm, json_of},
    profile::Profile,
};

#[derive(Debug, Serialize)]
pub(crate) struct Tool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: &'a Schema,
    /// Left out it is true, unlike in Chat Completions.
    strict: bool,
    /// Left out it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    defer_loading: Option<bool>,
}

/// The search of the provider: `ToolSearchToolParam` of openai-python.
#[derive(Serialize)]
struct SearchTool {
    r#type: &'static str,
}

/// An entry of the list.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Tool(&'a Tool<'a>),
    Search(SearchTool),
}

impl ToolForm for Responses {
    const NAME: &'static str = PROVIDER;

    type Tool<'a> = Tool<'a>;

    fn strict(rules: Strict) -> Option<Profile> {
        (rules != Strict::Anthropic).then(|| Profile::of(rules))
    }

    fn plain() -> Profile {
        Profile::openai()
    }

    fn write(tool: SentTool<'_>) -> Tool<'_> {
        Tool {
            r#type: "function",
            name: tool.name,
            description: tool.description,
            // It cannot be left out here.
            parameters: tool.parameters.unwrap_or(tool.own_parameters),
            strict: tool.strict,
            defer_loading: tool.deferred.then_some(true),
        }
    }

    fn list(tools: &[Tool<'_>]) -> JsonText {
        if tools.iter().all(|tool| tool.defer_loading.is_none()) {
            return json_of(tools);
        }
        let search = [Entry::Search(SearchTool {
            r#type: "tool_search",
        })];
        let all: Vec<_> = tools.iter().map(Entry::Tool).chain(search).collect();
        json_of(&all)
    }
}
