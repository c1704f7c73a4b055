//! What somebody decided about a call, and why a call waits.

use serde::{Deserialize, Serialize};

use crate::{ErrorCategory, ToolError};

/// What somebody decided about a call that needs an approval.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decision {
    /// It may run.
    Approve,
    /// It may run with other arguments. The model's own stay in the conversation.
    ApproveWith {
        /// The arguments, as JSON text.
        arguments: String,
    },
    /// It does not run. Its result is an error of the category `PermissionDenied`.
    Deny {
        /// Why, for the model to read; may be empty.
        reason: String,
    },
}

impl Decision {
    /// It does not run, for a reason that the model reads.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny {
            reason: reason.into(),
        }
    }
}

/// The error of a call that nobody approved.
pub(crate) fn denied(reason: &str) -> ToolError {
    let message = match reason {
        "" => "the call was not approved".to_owned(),
        reason => format!("the call was not approved: {reason}"),
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
}
