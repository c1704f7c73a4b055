//! Reasons why a call waits, and the result of one that was denied.

use serde::{Deserialize, Serialize};

use super::{CallSpent, PendingCall, WaitsFor};
use crate::{ErrorCategory, ToolError, tool::Question};

/// The start of the model's message about a call that was not approved. The reason follows it.
pub const DENIED: &str = "the call was not approved";

/// The error of a call that was not approved.
pub fn denied(reason: &str) -> ToolError {
    let message = match reason {
        "" => DENIED.to_owned(),
        reason => format!("{DENIED}: {reason}"),
    };
    ToolError::new(ErrorCategory::PermissionDenied, message)
}

/// The longest list of questions that a call asks.
pub const MAX_QUESTIONS: usize = 16;

/// What a call is told whose question nobody has answered in time.
pub(super) const UNANSWERED: &str = "nobody answered in time";

/// The reason why a call waits before an attempt, other than its turn. It takes no place among the running calls, and
/// the wait is not part of any call's run time. Whoever drives a run waits for each of them, so that a match covers them all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Delay {
    /// A retry: its attempt failed for a reason that may pass, and it waits for the next one.
    Retry {
        /// The error of the attempt.
        error: ToolError,
    },
    /// An approval of the call.
    Approval,
    /// The answer to a question that the call has [asked](crate::ToolContext::ask). It starts again from its beginning, and
    /// knows the answer then.
    Question {
        /// The key of the question in its call.
        key: String,
        /// The question.
        question: Question,
    },
    /// The answer of the application, since its tool is [external](crate::ToolPolicy::external).
    External,
    /// The rate limit of its tool.
    RateLimit,
    /// The end of work that is still running after its call has ended, since one of the two has to run
    /// alone.
    StillRunning,
    /// People or the application, who end a wait in a run below: the call is one of a sub-agent,
    /// whose run is suspended. It starts again and resumes that run.
    Below {
        /// The calls there that wait.
        calls: Vec<PendingCall>,
        /// What the runs below have spent so far. It counts for the run when the call has its result.
        #[serde(default)]
        spent: Box<CallSpent>,
    },
}

impl Delay {
    /// Returns true if people or the application end the wait, and the program that drives the run cannot.
    pub fn is_of_others(&self) -> bool {
        self.waits_for().is_some()
    }

    /// What the call waits for, if people or the application end the wait.
    pub fn waits_for(&self) -> Option<WaitsFor> {
        match self {
            Self::Approval => Some(WaitsFor::Approval),
            Self::External => Some(WaitsFor::Answer),
            Self::Question { .. } => Some(WaitsFor::Question),
            _ => None,
        }
    }

    /// Returns true if a run whose calls wait so is suspended: for others, or for those for whom a run below waits.
    pub(crate) fn suspends(&self) -> bool {
        self.is_of_others() || matches!(self, Self::Below { .. })
    }
}
