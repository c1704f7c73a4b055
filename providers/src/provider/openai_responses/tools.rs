//! Tools as this API takes them.

use serde::Serialize;
use serde_json::{Map, Value, json};
use toolwright_core::{
    model::{ProviderTool, WebSearch},
    schema::Schema,
    tool::Strict,
};
use toolwright_json::JsonText;

use super::{PROVIDER, codec::Responses};
use crate::{
    codec::{
        custom_tool::format,
        provider_tools::{Form, SentProviderTool, put_list},
        quirks::Quirks,
        tool_list::{SentTool, ToolForm, json_of},
    },
    profile::Profile,
};

#[derive(Debug, Serialize)]
pub(crate) struct Tool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    #[serde(flatten)]
    input: Input<'a>,
    /// Left out it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    defer_loading: Option<bool>,
}

/// The input of a tool.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Input<'a> {
    Object {
        parameters: &'a Schema,
        /// Left out it is true, unlike in Chat Completions.
        strict: bool,
    },
    Text {
        format: Value,
    },
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

    const WITH_TEXTS: Option<&'static str> = Some("openai_responses with custom tools");

    type Tool<'a> = Tool<'a>;

    fn strict(rules: Strict) -> Option<Profile> {
        (rules != Strict::Anthropic).then(|| Profile::of(rules))
    }

    fn plain() -> Profile {
        Profile::openai()
    }

    fn write(tool: SentTool<'_>) -> Tool<'_> {
        Tool {
            r#type: if tool.text_input.is_some() {
                "custom"
            } else {
                "function"
            },
            name: tool.name,
            description: tool.description,
            input: match tool.text_input {
                Some(input) => Input::Text {
                    format: format(input),
                },
                None => Input::Object {
                    // It cannot be left out here.
                    parameters: tool.parameters.unwrap_or(tool.own_parameters),
                    strict: tool.strict,
                },
            },
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

/// The tools that a server runs. xAI keeps a search from some domains (docs.x.ai, "Web Search").
pub(super) fn provider_tools(quirks: &Quirks) -> Form {
    if quirks.excludes_domains() {
        return |tool| match tool {
            ProviderTool::WebSearch(search) => Some(web_search(search, true)),
            tool => provider_tool(tool),
        };
    }
    provider_tool
}

fn web_search(search: &WebSearch, excludes: bool) -> SentProviderTool {
    let mut entry = Map::new();
    entry.insert("type".to_owned(), "web_search".into());
    let mut filters = Map::new();
    // One of the two lists may be sent.
    let excludes = excludes && search.allowed_domains.is_empty();
    put_list(&mut filters, "allowed_domains", &search.allowed_domains);
    if excludes {
        put_list(&mut filters, "excluded_domains", &search.blocked_domains);
    }
    if !filters.is_empty() {
        entry.insert("filters".to_owned(), filters.into());
    }
    SentProviderTool::whole(Value::Object(entry))
        .without("max_uses", search.max_uses.is_some())
        .without(
            "blocked_domains",
            !excludes && !search.blocked_domains.is_empty(),
        )
}

/// A tool that the API runs (openai-python, `types/responses/tool_param.py`). xAI takes the same.
fn provider_tool(tool: &ProviderTool) -> Option<SentProviderTool> {
    match tool {
        ProviderTool::WebSearch(search) => Some(web_search(search, false)),
        ProviderTool::CodeExecution => {
            let entry = json!({"type": "code_interpreter", "container": {"type": "auto"}});
            Some(SentProviderTool::whole(entry))
        }
        ProviderTool::FileSearch(search) => {
            let mut entry = Map::new();
            entry.insert("type".to_owned(), "file_search".into());
            entry.insert("vector_store_ids".to_owned(), search.stores.clone().into());
            let most = search.max_results;
            entry.extend(most.map(|most| ("max_num_results".to_owned(), most.into())));
            Some(SentProviderTool::whole(Value::Object(entry)))
        }
        _ => None,
    }
}
