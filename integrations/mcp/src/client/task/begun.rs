//! What the log of a run has of a task.

use serde::{Deserialize, Serialize};
use toolwright_core::{ErrorCategory, ToolError, tool::Fingerprint};

/// What is needed to ask for a task, with what says whose it is: an id means nothing to another server, and may be that of
/// another task there.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Begun {
    pub(super) task: String,
    pub(super) server: String,
    tool: String,
}

/// The largest id, in bytes.
const MAX_ID: usize = 1_024;

impl Begun {
    pub(super) fn new(task: String, server: String, tool: Fingerprint) -> Result<Self, ToolError> {
        if task.is_empty() || task.len() > MAX_ID {
            let text = format!(
                "the server began a task whose id has {} bytes, and 1 to {MAX_ID} are allowed; the call may have had its \
                 effect",
                task.len()
            );
            return Err(ToolError::new(ErrorCategory::Unknown, text));
        }
        let tool = tool.to_string();
        Ok(Self { task, server, tool })
    }

    /// Reads a checkpoint of this tool.
    pub(super) fn of_checkpoint(text: &str, tool: Fingerprint) -> Result<Self, ToolError> {
        let begun = serde_json::from_str::<Self>(text).ok();
        let begun = begun.filter(|begun| begun.tool == tool.to_string());
        begun.ok_or_else(elsewhere)
    }

    pub(super) fn to_checkpoint(&self) -> Result<String, ToolError> {
        serde_json::to_string(self).map_err(ToolError::internal)
    }
}

/// The call was begun, and not here.
pub(super) fn elsewhere() -> ToolError {
    ToolError::new(
        ErrorCategory::Unknown,
        "the call was begun with another definition of this tool or at another server, so its result cannot be asked for; \
         it may have had its effect, and was not made again",
    )
}
