//! Tools as this API takes them.

use toolwright_runtime::tool::Strict;

use super::{PROVIDER, codec::ChatCompletions};
use crate::{
    codec::{
        function_tool::FunctionTool,
        tool_list::{SentTool, ToolForm},
    },
    profile::Profile,
};

impl ToolForm for ChatCompletions {
    const NAME: &'static str = PROVIDER;

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
