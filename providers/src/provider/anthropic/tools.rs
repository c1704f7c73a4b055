//! Tools as this API takes them.

use serde::Serialize;
use serde_json::{Map, Value, json};
use toolwright_json::JsonText;
use toolwright_runtime::{model::ProviderTool, schema::Schema, tool::Strict};

use super::{PROVIDER, codec::Messages};
use crate::{
    codec::{
        provider_tools::{SentProviderTool, put_list},
        tool_list::{SentTool, ToolForm, json_of},
    },
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

/// A tool that the API runs (anthropic-python, `types/web_search_tool_20250305_param.py` and
/// `types/code_execution_tool_20250825_param.py`).
pub(super) fn provider_tool(tool: &ProviderTool) -> Option<SentProviderTool> {
    let entry = match tool {
        ProviderTool::WebSearch(search) => {
            let mut entry = Map::new();
            entry.insert("type".to_owned(), "web_search_20250305".into());
            entry.insert("name".to_owned(), "web_search".into());
            entry.extend(
                search
                    .max_uses
                    .map(|uses| ("max_uses".to_owned(), uses.into())),
            );
            put_list(&mut entry, "allowed_domains", &search.allowed_domains);
            put_list(&mut entry, "blocked_domains", &search.blocked_domains);
            Value::Object(entry)
        }
        ProviderTool::CodeExecution => {
            json!({"type": "code_execution_20250825", "name": "code_execution"})
        }
        _ => return None,
    };
    Some(SentProviderTool::whole(entry))
}
