//! The records of a round that may come next.

use super::{Round, call::RoundCall};
use crate::{
    run::{
        Delay, Record,
        faults::{Fault, has},
    },
    schedule::CallState,
    tool::{ArgumentChange, Decision, ToolResult},
};

impl Round {
    /// Returns true if a record of a call of this round may come next, where none follows from the round alone.
    /// `stopping` is true if no call starts any more.
    pub(in crate::run) fn accepts(&self, record: &Record, stopping: bool) -> bool {
        if let Record::CallFinished {
            call,
            result,
            spent,
        } = record
        {
            let index = call.index as usize;
            let Some(standing) = self.standing.get(index) else {
                return false;
            };
            let running = self.schedule.state(index) == Some(CallState::Running);
            if spent.is_some() && !running {
                return false;
            }
            // One that may start may be refused instead.
            let may_start = self.schedule.next() == Some(index) && !stopping;
            let is_answer = standing.is_elsewhere() && !stopping;
            return running || is_answer || may_start && refuses(standing, result);
        }
        let Some((index, call)) = self.call_of(record) else {
            return false;
        };
        let state = self.schedule.state(index);
        let is_running = state == Some(CallState::Running);
        if let Record::CallInterrupted { .. } = record {
            return is_running && call.may_run_again();
        }
        if let Record::CallCheckpointed { .. } = record {
            return is_running;
        }
        if stopping {
            return false;
        }
        let is_next = self.schedule.next() == Some(index);
        let (attempts, tries) = (self.schedule.attempt(index), self.tries(index));
        match record {
            Record::CallStarted { name, .. } => {
                is_next
                    && !call.needs_approval()
                    && (!call.policy().external || has(Fault::RunsExternal))
                    && *name == self.calls[index].name
            }
            Record::CallPrepared { .. } => {
                is_next && attempts == 0 && !call.has_approval() && !call.is_changed()
            }
            Record::CallDelayed { why, .. } => match why {
                Delay::Retry { error } => is_running && call.policy().retries_after(error, tries),
                Delay::Approval => is_next && call.needs_approval(),
                Delay::Question { key, question } => {
                    is_running && (call.may_ask(key, question) || has(Fault::AsksTwice))
                }
                Delay::External => is_next && !call.needs_approval() && call.policy().external,
                Delay::RateLimit | Delay::StillRunning => is_next && !call.needs_approval(),
                // Only one that goes on where it was may start again.
                Delay::Below { .. } => {
                    is_running && (call.policy().resumes || has(Fault::RerunsBelow))
                }
            },
            Record::CallResumed { .. } => call.delayed().is_some() && !call.waits_for_others(),
            Record::CallDecided { decision, .. } => {
                let own = &self.calls[index].arguments;
                let is_edit = matches!(decision, Decision::ApproveWith { arguments } if ArgumentChange::is_edit(own, arguments));
                call.is_asked() && !(is_edit && call.has_begun())
            }
            Record::QuestionAnswered { key, .. } => {
                call.question().is_some_and(|(asked, _)| asked == key)
            }
            Record::CallExpired { .. } => call.waits_for_others(),
            Record::ApprovalRevoked { .. } => self.is_approved(index) || call.is_asked(),
            _ => false,
        }
    }

    /// The call that a record without a result is of, and its place.
    fn call_of(&self, record: &Record) -> Option<(usize, &RoundCall)> {
        let (Record::CallStarted { call, .. }
        | Record::CallPrepared { call, .. }
        | Record::CallDelayed { call, .. }
        | Record::CallResumed { call }
        | Record::CallCheckpointed { call, .. }
        | Record::CallInterrupted { call }
        | Record::CallDecided { call, .. }
        | Record::QuestionAnswered { call, .. }
        | Record::ApprovalRevoked { call }
        | Record::CallExpired { call }) = record
        else {
            return None;
        };
        let index = call.index as usize;
        Some((index, self.standing.get(index)?))
    }
}

/// Returns true if the result is one of a call that is refused an attempt: it has not run, or ends with the error
/// of its last attempt.
fn refuses(call: &RoundCall, result: &ToolResult) -> bool {
    match (&result.outcome, call.failed()) {
        (Err(error), Some(failed)) => **error == *failed,
        (outcome, _) => outcome.is_err(),
    }
}
