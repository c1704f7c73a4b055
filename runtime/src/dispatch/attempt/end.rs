//! The end of one attempt of a call.

use super::work_state::StillRunning;
use crate::{
    ToolError,
    conversation::not_executed,
    tool::{ToolContext, ToolOutput},
};

/// An outcome on its way out of its call. It is moved from hand to hand, and few are errors, so that
/// these have a place of their own.
pub(crate) type AttemptResult = Result<ToolOutput, Box<ToolError>>;

/// The end of one attempt of a call.
#[derive(Debug)]
pub(crate) struct AttemptEnd {
    pub(crate) outcome: AttemptResult,
    /// Work of the attempt that still runs after its end.
    pub(crate) still_running: Option<StillRunning>,
    /// True if the tool has run, in this attempt or an earlier one.
    pub(crate) has_run: bool,
}

impl AttemptEnd {
    /// An attempt whose call was cancelled after it had started and before it was polled: nothing of the
    /// tool runs.
    pub(crate) fn not_begun(cx: &ToolContext) -> Self {
        let has_run = cx.attempt() > 1;
        let before = if has_run {
            "it was tried again"
        } else {
            "it began"
        };
        let reason = format!("the call was cancelled before {before}");
        let error = if has_run {
            ToolError::cancelled(reason)
        } else {
            not_executed(&reason)
        };
        Self {
            has_run,
            ..Self::from(Err(Box::new(error)))
        }
    }
}

/// It has run, and nothing of it runs on.
impl From<AttemptResult> for AttemptEnd {
    fn from(outcome: AttemptResult) -> Self {
        Self {
            outcome,
            still_running: None,
            has_run: true,
        }
    }
}
