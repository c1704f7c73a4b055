//! Tools as this API takes them.

use serde::Serialize;

use crate::{
    profile::Profile,
    schema::Schema,
    tool::Strict,
    wire::sent_tools::{SentTool, ToolForm},
};

/// Tools as this API takes them.
#[derive(Debug)]
pub(crate) struct Form;

#[derive(Debug, Serialize)]
pub(crate) struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Debug, Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    /// Left out where a profile sends none.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a Schema>,
    /// Left out it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

impl ToolForm for Form {
    const NAME: &'static str = "openai_chat";

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
            function: Function {
                name: tool.name,
                description: tool.description,
                parameters: tool.parameters,
                strict: tool.strict.then_some(true),
            },
        }
    }
}
