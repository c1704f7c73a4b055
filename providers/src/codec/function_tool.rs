//! Tools in the form that OpenAI Chat Completions began and others took over.

use serde::Serialize;
use toolwright_core::schema::Schema;

use super::tool_list::SentTool;

/// A tool of the type `function`.
#[derive(Debug, Serialize)]
pub(crate) struct FunctionTool<'a> {
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

impl<'a> FunctionTool<'a> {
    pub(crate) fn of(tool: &SentTool<'a>) -> Self {
        Self {
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
