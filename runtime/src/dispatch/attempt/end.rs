//! The end of one attempt of a call.

use super::work_state::StillRunning;
use toolwright_core::{
    ToolError,
    driver::not_executed,
    tool::{Effects, Question, ToolOutput},
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
    /// The question that has ended it, and its key.
    pub(crate) asks: Option<Box<(String, Question)>>,
}

impl AttemptEnd {
    /// An attempt whose call was cancelled after it had started and before it was polled: nothing of the tool runs. One
    /// that has failed before ends as it failed, and any other one that has started before may have taken effect.
    pub(crate) fn not_begun(
        failed: Option<Box<ToolError>>,
        attempt: u32,
        effects: Effects,
    ) -> Self {
        let has_run = attempt > 1;
        let error = failed.unwrap_or_else(|| {
            Box::new(if has_run {
                let aftermath = effects.aftermath();
                let why = format!("the call was cancelled before it went on{aftermath}");
                ToolError::cancelled(why)
            } else {
                not_executed("the call was cancelled before it began")
            })
        });
        Self {
            has_run,
            ..Self::from(Err(error))
        }
    }

    /// An attempt that a question has ended. It has an outcome where the run is to stop, and nobody is asked.
    pub(crate) fn asking(question: (String, Question)) -> Self {
        let error =
            ToolError::cancelled("the run stopped before the question of the call was asked");
        Self {
            asks: Some(Box::new(question)),
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
            asks: None,
        }
    }
}
