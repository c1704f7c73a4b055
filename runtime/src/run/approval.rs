//! Why a call waits, and what becomes of one that was denied.

use serde::{Deserialize, Serialize};

use crate::{ErrorCategory, ToolError};

/// What the model is told of a call that nobody approved, before the reason.
pub(crate) const DENIED: &str = "the call was not approved";

/// The error of a call that nobody approved.
pub(crate) fn denied(reason: &str) -> ToolError {
    let message = match reason {
        "" => DENIED.to_owned(),
        reason => format!("{DENIED}: {reason}"),
    };
    ToolError::new(ErrorCategory::PermissionDenied, message)
}

/// What a call waits for, other than its turn, before an attempt. It holds no place among those that
/// run, and the wait counts as nobody's run time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Delay {
    /// Its attempt failed for a reason that may pass: for the next one.
    Retry {
        /// How it failed.
        error: ToolError,
    },
    /// For somebody to approve it.
    Approval,
    /// For its tool to be called less often.
    RateLimit,
    /// For work to end that is still running after its call has ended, since one of the two has to run
    /// alone.
    StillRunning,
}
