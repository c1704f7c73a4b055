//! Warnings, as a front end takes them.

use serde::Serialize;

use toolwright_core::Warning;

/// A warning of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WarningData {
    /// A short name for programs, such as `unknown_part`.
    pub code: String,
    /// A sentence for people, which may quote an error of a provider: `None` unless a stream sends details of
    /// errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl WarningData {
    /// A warning with its text, or without it.
    pub(super) fn of(warning: Warning, tells_errors: bool) -> Self {
        Self {
            code: warning.code,
            message: Some(warning.message).filter(|_| tells_errors),
        }
    }
}
