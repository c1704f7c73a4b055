//! Tools as this API takes them.

use serde::Serialize;
use toolwright_runtime::{schema::Schema, tool::Strict};

use super::{PROVIDER, codec::Responses};
use crate::{
    codec::tool_list::{SentTool, ToolForm},
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
        }
    }
}
