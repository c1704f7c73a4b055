//! What a provider is told, in the form of a profile.

use std::path::Path;

use super::{PromptLock, ToldTool, assert_prompt_lock};
use crate::{
    profile::{Loss, Profile, Refusal, Rendered},
    tool::ToolDefinition,
};

impl From<&Rendered> for ToldTool {
    fn from(tool: &Rendered) -> Self {
        Self {
            name: tool.name.clone(),
            description: tool.description.clone(),
            parameters: tool.parameters.clone(),
            notes: tool.losses.iter().map(without_tool).collect(),
        }
    }
}

/// What is lost; the section says of which tool.
fn without_tool(loss: &Loss) -> String {
    let line = loss.to_string();
    let of_tool = line.strip_prefix(&*loss.tool);
    let of_tool = of_tool.and_then(|rest| rest.strip_prefix(": "));
    of_tool.unwrap_or(&line).to_owned()
}

impl PromptLock {
    /// What a provider is told of the tools of a request, in the form of a profile. What the provider
    /// is not sent, and which tools are sent in the profile's fallback, stands below each tool in
    /// lines that begin with `! `: these are for the reviewer, the model does not read them.
    ///
    /// # Errors
    ///
    /// Those of [`Profile::render_all`].
    pub fn in_profile<'d>(
        profile: &Profile,
        tools: impl IntoIterator<Item = &'d ToolDefinition>,
    ) -> Result<Self, Refusal> {
        let set = profile.render_all(tools)?;
        let mut fallbacks = set.fallbacks.iter().peekable();
        let told = set.tools.iter().map(|tool| {
            let mut told = ToldTool::from(tool);
            // Fallbacks come in the order of the tools.
            let fallback = fallbacks.next_if(|fallback| fallback.refusal.tool == tool.name);
            told.notes.extend(fallback.map(ToString::to_string));
            told
        });
        Ok(Self::told(&profile.name, told))
    }
}

/// What [`assert_prompt_lock!`](crate::assert_prompt_lock) does with a profile.
///
/// # Panics
///
/// When the profile refuses a tool, or the file shows something else or is not there.
#[doc(hidden)]
#[track_caller]
pub fn assert_prompt_lock_in<'d>(
    profile: &Profile,
    tools: impl IntoIterator<Item = &'d ToolDefinition>,
    path: &Path,
) {
    match PromptLock::in_profile(profile, tools) {
        Ok(lock) => assert_prompt_lock(&lock, path),
        Err(refusal) => panic!("{refusal}"),
    }
}
