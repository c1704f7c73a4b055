//! What is decided about a call that waits.

use serde::{Deserialize, Serialize};

/// The decision about a call that waited for an approval.
///
/// ```
/// use toolwright::approval::Decision;
///
/// let stored = serde_json::to_string(&Decision::deny("not on a Sunday"))?;
/// assert_eq!(stored, r#"{"type":"deny","reason":"not on a Sunday"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decision {
    /// It runs.
    Approve,
    /// It runs with other arguments, which are checked like those of a model.
    ApproveWith {
        /// The arguments, as JSON text.
        arguments: String,
    },
    /// It does not run.
    Deny {
        /// The reason, for the model; it may be empty.
        reason: String,
    },
}

impl Decision {
    /// It runs with other arguments: JSON text.
    pub fn approve_with(arguments: impl Into<String>) -> Self {
        let arguments = arguments.into();
        Self::ApproveWith { arguments }
    }

    /// The call does not run; the model receives the reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self::Deny { reason }
    }
}
