//! A tool whose calls are answered from a recording, so that it does not run.

use std::sync::Arc;

use super::Recording;
use toolwright_core::{
    ErrorCategory, ToolError,
    tool::{Call, Tool, ToolCall, ToolContext, ToolDefinition, ToolPolicy},
};

/// A tool that does not run: its calls get the results of a recording.
pub(super) struct RecordedTool {
    pub(super) tool: Arc<dyn Tool>,
    pub(super) recording: Recording,
}

impl Tool for RecordedTool {
    fn definition(&self) -> &ToolDefinition {
        self.tool.definition()
    }

    fn call<'a>(&'a self, call: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        let missing = || ToolError::new(ErrorCategory::Unknown, "the recording has no result");
        Call::ready(
            self.recording
                .result(call)
                .unwrap_or_else(|| Err(missing())),
        )
    }

    /// What is recorded is what the attempts and the waits ended with.
    fn policy(&self) -> ToolPolicy {
        let mut policy = self.tool.policy().with_retries(0);
        policy.rate_limit = None;
        policy
    }

    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        self.tool.check(call)
    }
}
