//! The end of one attempt of a call.

use super::work_state::StillRunning;
use toolwright_core::{ToolError, driver::not_executed, tool::ToolOutput};

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
    /// An attempt whose call was cancelled after it had started and before it was polled: nothing of the tool runs. One
    /// that has failed before ends as it failed.
    pub(crate) fn not_begun(failed: Option<Box<ToolError>>) -> Self {
        let has_run = failed.is_some();
        let error = failed
            .unwrap_or_else(|| Box::new(not_executed("the call was cancelled before it began")));
        Self {
            has_run,
            ..Self::from(Err(error))
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
