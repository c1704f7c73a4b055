//! Tools as this API takes them.

use serde::Serialize;
use serde_json::{Map, json};
use toolwright_core::{model::ProviderTool, schema::Schema, tool::Strict};
use toolwright_json::JsonText;

use super::{PROVIDER, codec::GenerateContent};
use crate::{
    codec::{
        provider_tools::SentProviderTool,
        tool_list::{SentTool, ToolForm, json_of},
    },
    profile::Profile,
};

/// A tool, with its parameters in one of two ways; the API takes no more than one of them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    /// In the subset of `OpenAPI`.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a Schema>,
    /// In JSON Schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters_json_schema: Option<&'a Schema>,
}

/// The object in which tools are sent.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declarations<'t, 'a> {
    function_declarations: &'t [Tool<'a>],
}

impl ToolForm for GenerateContent {
    const NAME: &'static str = PROVIDER;

    type Tool<'a> = Tool<'a>;

    fn strict(rules: Strict) -> Option<Profile> {
        // Calls are kept to the schema by the mode of the request, whatever the schema is.
        (rules == Strict::Portable).then(|| Profile {
            strict: true,
            ..Self::plain()
        })
    }

    fn plain() -> Profile {
        Profile::gemini_json_schema()
    }

    fn write(tool: SentTool<'_>) -> Tool<'_> {
        let of_form = |open_api| tool.parameters.filter(|_| tool.open_api == open_api);
        Tool {
            name: tool.name,
            description: tool.description,
            parameters: of_form(true),
            parameters_json_schema: of_form(false),
        }
    }

    fn list(tools: &[Tool<'_>]) -> JsonText {
        let all = [Declarations {
            function_declarations: tools,
        }];
        // The API takes no empty list of declarations.
        json_of(&all[..usize::from(!tools.is_empty())])
    }
}

/// A tool that the API runs (python-genai, `Tool` in `types.py`).
pub(super) fn provider_tool(tool: &ProviderTool) -> Option<SentProviderTool> {
    match tool {
        ProviderTool::WebSearch(search) => {
            let sent = SentProviderTool::whole(json!({"googleSearch": {}}))
                .without("max_uses", search.max_uses.is_some())
                .without("allowed_domains", !search.allowed_domains.is_empty())
                .without("blocked_domains", !search.blocked_domains.is_empty());
            Some(sent)
        }
        ProviderTool::CodeExecution => Some(SentProviderTool::whole(json!({"codeExecution": {}}))),
        ProviderTool::FileSearch(search) => {
            let mut fields = Map::new();
            fields.insert(
                "fileSearchStoreNames".to_owned(),
                search.stores.clone().into(),
            );
            let most = search.max_results;
            fields.extend(most.map(|most| ("topK".to_owned(), most.into())));
            Some(SentProviderTool::whole(json!({"fileSearch": fields})))
        }
        _ => None,
    }
}
