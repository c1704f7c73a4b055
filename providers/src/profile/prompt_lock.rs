//! The prompt lock of what a provider is sent, in the form of a profile.

use toolwright_core::{
    testing::{PromptLock, PromptTool},
    tool::ToolDefinition,
};

use super::{Loss, Profile, Refusal, Rendered};

impl From<&Rendered> for PromptTool {
    fn from(tool: &Rendered) -> Self {
        Self {
            name: tool.name.clone(),
            description: tool.description.clone(),
            parameters: tool.parameters.clone(),
            notes: tool.losses.iter().map(without_tool).collect(),
        }
    }
}

/// Describes a loss without the name of the tool, which the section names.
fn without_tool(loss: &Loss) -> String {
    let line = loss.to_string();
    let of_tool = line.strip_prefix(&*loss.tool);
    let of_tool = of_tool.and_then(|rest| rest.strip_prefix(": "));
    of_tool.unwrap_or(&line).to_owned()
}

impl Profile {
    /// Creates the [`PromptLock`] of the tools of a request, as they are sent in the form of this profile.
    /// The lines below a tool that begin with `! ` list its losses, and say if it is sent in the profile's
    /// fallback. They are for the reviewer; the model does not read them.
    ///
    /// # Errors
    ///
    /// The errors of [`render_all`](Self::render_all).
    pub fn prompt_lock<'d>(
        &self,
        tools: impl IntoIterator<Item = &'d ToolDefinition>,
    ) -> Result<PromptLock, Refusal> {
        let set = self.render_all(tools)?;
        let mut fallbacks = set.fallbacks.iter().peekable();
        let told = set.tools.iter().map(|tool| {
            let mut told = PromptTool::from(tool);
            // Fallbacks come in the order of the tools.
            let fallback = fallbacks.next_if(|fallback| fallback.refusal.tool == tool.name);
            told.notes.extend(fallback.map(ToString::to_string));
            told
        });
        Ok(PromptLock::for_provider(&self.name, told))
    }
}
