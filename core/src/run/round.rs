//! The round under way: its calls, and the state of each.

mod accepted;
mod decided;

use std::{collections::BTreeMap, num::NonZeroUsize};

use super::{
    CallId, Delay, Finish, Limit, Record,
    correction::Correction,
    faults::{Fault, has, spoil},
};
use crate::{
    ModelResponse, ToolError,
    conversation::not_executed,
    message::SharedVec,
    schedule::{CallState, Schedule},
    tool::{ArgumentChange, Effects, ToolCall, ToolPolicy, ToolResult},
};
use decided::Approval;

/// The round under way: its calls, and the state of each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Round {
    pub(super) number: u32,
    /// The calls, with the arguments that they run with.
    pub(super) calls: SharedVec<ToolCall>,
    pub(super) policies: Vec<ToolPolicy>,
    pub(super) schedule: Schedule,
    results: Vec<Option<ToolResult>>,
    /// The reasons for which the delayed calls wait.
    delays: BTreeMap<usize, Delay>,
    /// The error of the last attempt, for calls that get another one.
    failed: BTreeMap<usize, ToolError>,
    /// The changes to the arguments of calls that led to those they run with.
    changes: BTreeMap<usize, Vec<ArgumentChange>>,
    /// The approvals of the calls that need one.
    approvals: BTreeMap<usize, Approval>,
    /// The calls that do not run, since they are not allowed or not approved, and have no result yet.
    vetoed: BTreeMap<usize, ToolError>,
    pub(super) then: Then,
    /// True if a call was allowed to run when the round began.
    pub(super) counts: bool,
}

/// The next step when every call of a round has its result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Then {
    /// The next request.
    Ask,
    /// The same request once more, since none of the calls was to run.
    Correct(Correction),
    /// The limit that the calls of the response are over.
    Reach(Limit),
    /// The end of the run, since none of the calls may run, with the text that the model wrote in addition.
    End(Box<Finish>, Option<Box<ModelResponse>>),
}

impl Round {
    pub(super) fn new(
        number: u32,
        calls: SharedVec<ToolCall>,
        mut policies: Vec<ToolPolicy>,
        concurrency: NonZeroUsize,
    ) -> Self {
        policies.resize_with(calls.len(), ToolPolicy::default);
        Self {
            number,
            schedule: Schedule::new(
                concurrency,
                policies
                    .iter()
                    .map(|policy| policy.sequential && !has(Fault::PassesBarrier)),
            ),
            policies,
            results: vec![None; calls.len()],
            calls,
            delays: BTreeMap::new(),
            failed: BTreeMap::new(),
            changes: BTreeMap::new(),
            approvals: BTreeMap::new(),
            vetoed: BTreeMap::new(),
            then: Then::Ask,
            counts: true,
        }
    }

    /// Says which calls do not run, and how they are answered.
    pub(super) fn with_vetoed(mut self, vetoed: BTreeMap<usize, ToolError>) -> Self {
        self.counts = vetoed.len() < self.calls.len();
        self.vetoed = vetoed;
        self
    }

    /// Sets what comes when every call has its result.
    pub(super) fn with_then(mut self, then: Then) -> Self {
        self.then = then;
        self
    }

    pub(super) fn id(&self, index: usize) -> CallId {
        let index = u32::try_from(index).expect("a reply holds fewer than 2^32 calls");
        CallId {
            round: self.number,
            index,
        }
    }

    /// Returns the error of the last attempt of a call that gets another one.
    pub(super) fn failed(&self, call: CallId) -> Option<&ToolError> {
        self.failed.get(&(call.index as usize))
    }

    /// Returns the changes to the arguments of a call.
    pub(super) fn changes(&self, call: CallId) -> Vec<ArgumentChange> {
        let changes = self.changes.get(&(call.index as usize));
        changes.cloned().unwrap_or_default()
    }

    pub(super) fn delayed(&self) -> impl Iterator<Item = (CallId, &Delay)> {
        self.delays
            .iter()
            .map(|(&index, why)| (self.id(index), why))
    }

    /// Applies a record that the round [accepts](Self::accepts) and that is no result.
    pub(super) fn apply(&mut self, record: &Record) {
        match record {
            Record::CallStarted { .. } => {
                // Calls start in the one order that the schedule gives.
                if let Some(index) = self.schedule.start() {
                    self.failed.remove(&index);
                }
            }
            Record::CallPrepared {
                call,
                arguments,
                changes,
            } => {
                let index = call.index as usize;
                self.calls.to_mut()[index].arguments.clone_from(arguments);
                self.changes.insert(index, changes.clone());
            }
            Record::CallDelayed { call, why } => {
                let index = call.index as usize;
                self.schedule.delay(index);
                match why {
                    Delay::Retry { error } => {
                        self.failed.insert(index, error.clone());
                    }
                    Delay::Approval => self.approvals.entry(index).or_default().asked += 1,
                    _ => {}
                }
                self.delays.insert(index, why.clone());
            }
            Record::CallResumed { call } => self.resume(call.index as usize),
            Record::CallInterrupted { call } => {
                let index = call.index as usize;
                self.schedule.delay(index);
                self.schedule.resume(index);
            }
            Record::CallDecided {
                call,
                decision,
                tool,
            } => self.decide(call.index as usize, decision, tool.as_deref()),
            Record::ApprovalRevoked { call } => self.revoke(call.index as usize),
            Record::CallExpired { call } => self.expire(call.index as usize),
            _ => {}
        }
    }

    /// Returns true if a call runs, and may run a second time.
    fn may_run_again(&self, index: usize) -> bool {
        self.schedule.state(index) == Some(CallState::Running)
            && (self.policies[index].effects != Effects::Write
                || self.policies[index].resumes
                || has(Fault::RerunsWrite))
    }

    /// The records of the calls that were running when their program went away.
    pub(super) fn after_interruption(&self) -> impl Iterator<Item = Record> {
        self.schedule.in_state(CallState::Running).map(|index| {
            let call = self.id(index);
            if self.may_run_again(index) {
                return Record::CallInterrupted { call };
            }
            let why = if has(Fault::HidesInterruption) {
                "the program stopped"
            } else {
                "the program stopped while the call ran; it may have taken effect"
            };
            let error = ToolError::cancelled(why);
            let result = ToolResult::error(&self.calls[index].id, error);
            Record::CallFinished {
                call,
                result: result.with_changes(self.changes(call)),
                spent: None,
            }
        })
    }

    /// The calls that wait for others, if nothing else is under way.
    pub(super) fn waiting_for_others(&self) -> Vec<(CallId, &Delay)> {
        let is_idle = self.schedule.running() == 0 && self.schedule.next().is_none();
        if !is_idle || !self.delays.values().all(Delay::suspends) {
            return Vec::new();
        }
        self.delayed().collect()
    }

    fn resume(&mut self, index: usize) {
        self.schedule.resume(index);
        self.delays.remove(&index);
    }

    pub(super) fn finish(&mut self, index: usize, mut result: ToolResult) {
        let (Some(call), Some(slot)) = (self.calls.get(index), self.results.get_mut(index)) else {
            return;
        };
        // The result stands for this call, whichever id the tool put into it.
        result.call_id.clone_from(&call.id);
        *slot = Some(result);
        self.schedule.finish(index);
        self.delays.remove(&index);
        self.failed.remove(&index);
        self.changes.remove(&index);
        self.vetoed.remove(&index);
    }

    /// The result that follows from the round alone, if one does: of a call that is not allowed or not
    /// approved, and of those that do not start any more, for the reason that is given.
    pub(super) fn due(&self, stopping: Option<&str>) -> Option<Record> {
        self.due_with(stopping, |index, why| self.unanswered(index, why))
    }

    /// The result in logs of older versions, which say of calls that have begun that they have not run.
    pub(super) fn due_before(&self, stopping: Option<&str>) -> Option<Record> {
        self.due_with(stopping, |_, why| not_executed(why))
    }

    fn due_with(
        &self,
        stopping: Option<&str>,
        unanswered: impl Fn(usize, &str) -> ToolError,
    ) -> Option<Record> {
        let (index, error) = if let Some((&index, error)) = self.vetoed.first_key_value() {
            (index, error.clone())
        } else {
            let reason = stopping?;
            let index = self.schedule.first_not_running()?;
            let failed = self.failed.get(&index).cloned();
            (index, failed.unwrap_or_else(|| unanswered(index, reason)))
        };
        let (call, result) = (
            self.id(index),
            ToolResult::error(&self.calls[index].id, error),
        );
        Some(Record::CallFinished {
            call,
            result: result.with_changes(self.changes(call)),
            spent: None,
        })
    }

    /// The error of a call that comes to no end, for this reason. One that has begun, here or elsewhere, may have done
    /// what it does.
    fn unanswered(&self, index: usize, reason: &str) -> ToolError {
        let is_elsewhere = self.delays.get(&index) == Some(&Delay::External);
        let has_begun = is_elsewhere || self.schedule.attempt(index) > 0;
        if !has_begun {
            return not_executed(reason);
        }
        let aftermath = self.policies[index].effects.aftermath();
        ToolError::cancelled(format!("{reason} before the call was answered{aftermath}"))
    }

    /// The results, once every call has finished.
    pub(super) fn take_results(&mut self) -> Vec<ToolResult> {
        let mut results = std::mem::take(&mut self.results);
        spoil(&mut results);
        results.into_iter().flatten().collect()
    }

    /// A result for each call, also for those that have none yet.
    pub(super) fn results_so_far(&self) -> impl Iterator<Item = ToolResult> {
        let calls = self.calls.iter().zip(&self.results).enumerate();
        calls.map(|(index, (call, result))| {
            let unanswered = || self.unanswered(index, "the run was interrupted");
            let result = result.clone();
            result.unwrap_or_else(|| ToolResult::error(&call.id, unanswered()))
        })
    }
}
