//! Tools as this API takes them.

use toolwright_core::tool::Strict;

use super::{PROVIDER, codec::Chat};
use crate::{
    codec::{
        function_tool::FunctionTool,
        tool_list::{SentTool, ToolForm},
    },
    profile::Profile,
};

impl ToolForm for Chat {
    const NAME: &'static str = PROVIDER;

    type Tool<'a> = FunctionTool<'a>;

    /// Nothing is enforced, whichever provider's rules a tool follows.
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
