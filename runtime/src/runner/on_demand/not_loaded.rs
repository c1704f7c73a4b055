//! A tool in the place of one whose definition the model has not read.

use toolwright_core::{
    ErrorCategory, ToolCall, ToolContext, ToolDefinition, ToolError, ToolPolicy,
    driver::CODE,
    tool::{Call, Effects, Tool},
};

/// Answers the calls of a tool whose definition the model has not read. Nothing runs, since a round runs with what the
/// model was shown: arguments that were guessed may fit by chance. The tool is loaded by the call, so that the model need
/// not search.
pub(super) struct NotLoaded {
    definition: ToolDefinition,
}

impl NotLoaded {
    pub(super) fn new(definition: &ToolDefinition) -> Self {
        let definition = definition.clone();
        Self { definition }
    }

    fn error(&self) -> ToolError {
        let message = format!(
            "not executed: you have not read the definition of `{}`, which is among your tools now. Read it, and call the \
             tool again if it is what you need",
            self.definition.name
        );
        ToolError::new(ErrorCategory::ResourceNotFound, message)
            .with_detail(CODE, "tool_not_loaded")
    }
}

impl Tool for NotLoaded {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn policy(&self) -> ToolPolicy {
        ToolPolicy::default().with_effects(Effects::ReadOnly)
    }

    fn check(&self, _: &ToolCall) -> Result<(), ToolError> {
        Err(self.error())
    }

    fn call<'a>(&'a self, _: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        Call::ready(Err(self.error()))
    }
}
