//! Tools whose input is one text.

use std::sync::Arc;

use super::{Toolset, ToolsetError, redefined::redefined};
use crate::tool::{TextInput, ToolDefinition};

impl Toolset {
    /// Lets the model write the one argument of a tool as a text, where the provider can do that: see [`TextInput`].
    ///
    /// # Errors
    ///
    /// When no tool has the name, and when the arguments of the tool are not just one string.
    pub fn with_text_input(self, name: &str, input: TextInput) -> Result<Self, ToolsetError> {
        let chosen = self.only([name])?;
        let takes_text = |tool: &ToolDefinition| tool.text_parameter().is_some();
        if !chosen.definitions().all(takes_text) {
            let name = name.to_owned();
            return Err(ToolsetError::NoText { name });
        }
        // One tool has the name.
        let mut input = Some(input);
        let tools = self.iter().map(|tool| {
            if tool.definition().name != name {
                return Arc::clone(tool);
            }
            redefined(tool, |definition| match input.take() {
                Some(input) => definition.with_text_input(input),
                None => definition,
            })
        });
        Ok(Self::from_checked(tools.collect()).sharing(&self))
    }
}
