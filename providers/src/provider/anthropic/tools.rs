//! Tools as this API takes them.

use serde::Serialize;
use toolwright_runtime::{schema::Schema, tool::Strict};

use super::{PROVIDER, codec::Messages};
use crate::{
    codec::tool_list::{SentTool, ToolForm},
    profile::Profile,
};

#[derive(Debug, Serialize)]
pub(crate) struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Schema,
    /// Left out it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
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
        }
    }
}
