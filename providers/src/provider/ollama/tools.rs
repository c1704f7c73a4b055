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
    const NAME: &'static str = "ollama";

    type Tool<'a> = FunctionTool<'a>;

    /// Nothing is enforced, whoever's rules a tool follows.
    fn strict(_rules: Strict) -> Option<Profile> {
        None
    }

    fn plain() -> Profile {
        Profile::ollama()
    }

    fn write(tool: SentTool<'_>) -> FunctionTool<'_> {
        FunctionTool::of(&SentTool {
            strict: false,
            ..tool
        })
    }
}
