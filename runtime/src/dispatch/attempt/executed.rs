//! An attempt of a call, and what of its outcome leaves the call.

use std::sync::Arc;

use super::{deadline::Deadline, execute::execute};
use crate::{
    ToolError,
    conversation::not_executed,
    dispatch::{AttemptResult, Ended, Finished, OutputPolicy, StillRunning},
    tool::{Tool, ToolCall, ToolContext, ToolPolicy},
};

/// The result of one attempt of a call.
#[derive(Debug)]
pub(crate) struct Executed {
    pub(crate) outcome: AttemptResult,
    /// Work of the attempt that still runs.
    pub(crate) lingering: Option<StillRunning>,
    /// True if the tool has run, in this attempt or an earlier one.
    pub(crate) has_run: bool,
}

impl OutputPolicy {
    /// Runs an attempt of a call: runs its tool as [`execute`] does, and redacts and cuts what came of
    /// it. A tool that is not there is an outcome like others.
    pub(crate) async fn run(
        &self,
        tool: Result<&Arc<dyn Tool>, Box<ToolError>>,
        policy: &ToolPolicy,
        call: &ToolCall,
        cx: &ToolContext,
        until: &Deadline,
    ) -> Executed {
        if cx.is_cancelled() && tool.is_ok() {
            return Executed::not_begun(cx);
        }
        let Ended { outcome, lingering } = match tool {
            Ok(tool) => execute(tool, policy, call, cx, until).await,
            Err(error) => Ended::with(Err(error)),
        };
        let outcome = match self.finish(call, policy, until, outcome) {
            Finished::Now(outcome) => outcome,
            Finished::Later(cut) => cut.await,
        };
        Executed {
            lingering,
            ..Executed::from(outcome)
        }
    }
}

impl Executed {
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

/// Nothing of it runs on.
impl From<AttemptResult> for Executed {
    fn from(outcome: AttemptResult) -> Self {
        Self {
            outcome,
            lingering: None,
            has_run: true,
        }
    }
}
