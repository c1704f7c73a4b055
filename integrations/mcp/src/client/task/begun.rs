//! What is known of a task that has begun.

use toolwright_core::{ErrorCategory, ToolError};

/// What is needed to ask for a task, with what says whose it is: an id means nothing to another server, and may be that of
/// another task there.
pub(super) struct Begun {
    pub(super) task: String,
    pub(super) server: String,
}

/// The largest id, in bytes.
const MAX_ID: usize = 1_024;

impl Begun {
    pub(super) fn new(task: String, server: String) -> Result<Self, ToolError> {
        if task.is_empty() || task.len() > MAX_ID {
            let text = format!(
                "the server began a task whose id has {} bytes, and 1 to {MAX_ID} are allowed; the call may have had its \
                 effect",
                task.len()
            );
            return Err(ToolError::new(ErrorCategory::Unknown, text));
        }
        Ok(Self { task, server })
    }
}

/// The call was begun, and not here.
pub(super) fn elsewhere() -> ToolError {
    ToolError::new(
        ErrorCategory::Unknown,
        "the call was begun at another server, so its result cannot be asked for; it may have had its effect, and was not \
         made again",
    )
}
