//! The records of a round that may come next.

use super::Round;
use crate::{
    run::{
        Delay, Record,
        faults::{Fault, has},
    },
    schedule::CallState,
    tool::ToolResult,
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
            let running = self.schedule.state(index) == Some(CallState::Running);
            if spent.is_some() && !running {
                return false;
            }
            // One that may start may be refused instead.
            let may_start = self.schedule.next() == Some(index) && !stopping;
            let is_answer = self.delays.get(&index) == Some(&Delay::External) && !stopping;
            return running || is_answer || may_start && self.refuses(index, result);
        }
        if let Record::CallInterrupted { call } = record {
            return self.may_run_again(call.index as usize);
        }
        if stopping {
            return false;
        }
        match record {
            Record::CallStarted { call, name } => {
                let index = call.index as usize;
                self.schedule.next() == Some(index)
                    && !self.needs_approval(index)
                    && (!self.policies[index].external || has(Fault::RunsExternal))
                    && (name.is_empty() || *name == self.calls[index].name)
            }
            Record::CallPrepared { call, .. } => {
                let index = call.index as usize;
                self.schedule.next() == Some(index)
                    && self.schedule.attempt(index) == 0
                    && !self.has_approval(index)
                    && !self.changes.contains_key(&index)
            }
            Record::CallDelayed { call, why } => {
                let index = call.index as usize;
                let next = self.schedule.next() == Some(index);
                match why {
                    Delay::Retry { error } => {
                        let attempts = self.schedule.attempt(index);
                        self.schedule.state(index) == Some(CallState::Running)
                            && self.policies[index].retries_after(error, attempts)
                    }
                    Delay::Approval => next && self.needs_approval(index),
                    Delay::External => {
                        next && !self.needs_approval(index) && self.policies[index].external
                    }
                    Delay::RateLimit | Delay::StillRunning => next && !self.needs_approval(index),
                    // Only one that goes on where it was may start again.
                    Delay::Below { .. } => {
                        self.schedule.state(index) == Some(CallState::Running)
                            && (self.policies[index].resumes || has(Fault::RerunsBelow))
                    }
                }
            }
            Record::CallResumed { call } => {
                let why = self.delays.get(&(call.index as usize));
                why.is_some_and(|why| !why.is_of_others())
            }
            Record::CallDecided { call, .. } => {
                self.delays.get(&(call.index as usize)) == Some(&Delay::Approval)
            }
            Record::CallExpired { call } => {
                let why = self.delays.get(&(call.index as usize));
                why.is_some_and(Delay::is_of_others)
            }
            Record::ApprovalRevoked { call } => {
                let index = call.index as usize;
                self.is_approved(index) || self.delays.get(&index) == Some(&Delay::Approval)
            }
            _ => false,
        }
    }

    /// Returns true if the result is one of a call that is refused an attempt: it has not run, or ends with the error
    /// of its last attempt.
    fn refuses(&self, index: usize, result: &ToolResult) -> bool {
        match (&result.outcome, self.failed.get(&index)) {
            (Err(error), Some(failed)) => **error == *failed,
            (outcome, _) => outcome.is_err(),
        }
    }
}
