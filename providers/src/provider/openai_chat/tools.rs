//! Tools as this API takes them.

use serde::Serialize;
use serde_json::Value;
use toolwright_core::tool::Strict;

use super::{PROVIDER, codec::ChatCompletions};
use crate::{
    codec::{
        custom_tool::chat_format,
        function_tool::FunctionTool,
        tool_list::{SentTool, ToolForm},
    },
    profile::Profile,
};

/// A tool, as it stands in the list.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Tool<'a> {
    Function(FunctionTool<'a>),
    Custom {
        r#type: &'static str,
        custom: Custom<'a>,
    },
}

/// A tool whose input is one text.
#[derive(Debug, Serialize)]
pub(crate) struct Custom<'a> {
    name: &'a str,
    description: &'a str,
    format: Value,
}

impl ToolForm for ChatCompletions {
    const NAME: &'static str = PROVIDER;

    const WITH_TEXTS: Option<&'static str> = Some("openai_chat with custom tools");

    type Tool<'a> = Tool<'a>;

    fn strict(rules: Strict) -> Option<Profile> {
        (rules != Strict::Anthropic).then(|| Profile::of(rules))
    }

    fn plain() -> Profile {
        Profile::openai()
    }

    fn write(tool: SentTool<'_>) -> Tool<'_> {
        let Some(input) = tool.text_input else {
            return Tool::Function(FunctionTool::of(&tool));
        };
        Tool::Custom {
            r#type: "custom",
            custom: Custom {
                name: tool.name,
                description: tool.description,
                format: chat_format(input),
            },
        }
    }
}
