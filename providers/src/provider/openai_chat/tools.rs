//! Tools as this API takes them.

use toolwright_runtime::tool::Strict;

use crate::{
    codec::{
        function_tool::FunctionTool,
        tool_list::{SentTool, ToolForm},
    },
    profile::Profile,
};

/// Tools as this API takes them.
#[derive(Debug)]
pub(crate) struct Form;

impl ToolForm for Form {
    const NAME: &'static str = "openai_chat";

    type Tool<'a> = FunctionTool<'a>;

    fn strict(rules: Strict) -> Option<Profile> {
        (rules != Strict::Anthropic).then(|| Profile::of(rules))
    }

    fn plain() -> Profile {
        Profile::openai()
    }

    fn write(tool: SentTool<'_>) -> FunctionTool<'_> {
        FunctionTool::of(&tool)
    }
}
