//! The round under way: its calls, and where each stands.

mod accepted;
mod call;
mod decided;

use std::{
    collections::BTreeMap,
    mem::{replace, take},
    num::NonZeroUsize,
    sync::Arc,
};

use super::{
    Action, CallId, CallSpent, Delay, Finish, Limit, Record,
    correction::Correction,
    faults::{Fault, has, spoil},
};
use crate::{
    ModelResponse, ToolError,
    message::SharedVec,
    schedule::{CallState, Schedule},
    tool::{ArgumentChange, Decision, Question, ToolCall, ToolDefinition, ToolPolicy, ToolResult},
};
use call::RoundCall;

/// The round under way: its calls, and where each stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Round {
    number: u32,
    /// The calls, with the arguments that they run with. They are shared with those who run them.
    calls: SharedVec<ToolCall>,
    /// Where each call stands.
    standing: Vec<RoundCall>,
    schedule: Schedule,
    /// The errors of the calls that do not run, since they are not allowed or not approved, and have no result yet.
    vetoed: BTreeMap<usize, ToolError>,
    then: Then,
    /// True if a call was allowed to run when the round began.
    counts: bool,
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
    /// The round of these calls. A call without a policy has the default.
    pub(super) fn new(
        number: u32,
        calls: SharedVec<ToolCall>,
        mut policies: Vec<ToolPolicy>,
        concurrency: NonZeroUsize,
    ) -> Self {
        policies.resize_with(calls.len(), ToolPolicy::default);
        let barriers = policies
            .iter()
            .map(|policy| policy.sequential && !has(Fault::PassesBarrier));
        Self {
            number,
            schedule: Schedule::new(concurrency, barriers),
            standing: policies.into_iter().map(RoundCall::new).collect(),
            calls,
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

    /// The round is none that a limit counts.
    pub(super) fn do_not_count(&mut self) {
        self.counts = false;
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Returns true if limits count the round.
    pub(super) fn counts(&self) -> bool {
        self.counts
    }

    /// The calls, with the arguments that they run with.
    pub(super) fn calls(&self) -> &SharedVec<ToolCall> {
        &self.calls
    }

    /// The policies of the calls, in order.
    pub(super) fn policies(&self) -> impl Iterator<Item = &ToolPolicy> {
        self.standing.iter().map(RoundCall::policy)
    }

    pub(super) fn policy(&self, call: CallId) -> Option<&ToolPolicy> {
        self.standing(call).map(RoundCall::policy)
    }

    /// The ids of the calls, in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = CallId> {
        (0..self.calls.len()).map(|index| self.id(index))
    }

    /// The ids of the calls that run.
    pub(super) fn running(&self) -> impl Iterator<Item = CallId> {
        let running = self.schedule.in_state(CallState::Running);
        running.map(|index| self.id(index))
    }

    /// What may be done now for the calls that may start.
    pub(super) fn actions(&self) -> impl Iterator<Item = Action> {
        self.schedule.startable().map(|index| {
            let (id, call) = (self.id(index), &self.standing[index]);
            if call.needs_approval() {
                Action::AskApproval(id)
            } else if call.policy().external {
                Action::AskAnswer(id)
            } else {
                Action::StartCall(id)
            }
        })
    }

    /// The number of calls without a result.
    pub(super) fn open(&self) -> usize {
        let finished = self.schedule.in_state(CallState::Finished).count();
        self.calls.len() - finished
    }

    /// Returns true if every call has its result.
    pub(super) fn is_finished(&self) -> bool {
        self.schedule.is_finished()
    }

    pub(super) fn state(&self, call: CallId) -> Option<CallState> {
        self.schedule.state(call.index as usize)
    }

    /// How often a call has started.
    pub(super) fn attempt(&self, call: CallId) -> u32 {
        self.schedule.attempt(call.index as usize)
    }

    /// Returns the error of the last attempt of a call that gets another one.
    pub(super) fn failed(&self, call: CallId) -> Option<&ToolError> {
        self.standing(call)?.failed()
    }

    /// The error of a call that may not start, or not go on, after so many attempts.
    pub(super) fn refused(&self, call: CallId, attempts: u32, error: ToolError) -> ToolError {
        match self.standing(call) {
            Some(standing) => standing.refused(attempts, error),
            None => error,
        }
    }

    /// Returns the changes to the arguments of a call.
    pub(super) fn changes(&self, call: CallId) -> &[ArgumentChange] {
        self.standing(call).map_or(&[], RoundCall::changes)
    }

    /// The calls that are delayed, in order, and what they wait for.
    pub(super) fn delayed(&self) -> impl Iterator<Item = (CallId, &Delay)> {
        self.schedule.delayed().filter_map(|index| {
            let why = self.standing[index].delayed()?;
            Some((self.id(index), why))
        })
    }

    /// The calls that are approved and may still start, with the definition of the tool that was approved.
    pub(super) fn approvals(&self) -> impl Iterator<Item = (CallId, Option<&ToolDefinition>)> {
        let calls = self.standing.iter().enumerate();
        let approved = calls.filter(|(index, _)| self.is_approved(*index));
        approved.map(|(index, call)| (self.id(index), call.approved_tool()))
    }

    /// The question that a call waits for, and its key.
    pub(super) fn question(&self, call: CallId) -> Option<(&str, &Question)> {
        self.standing(call)?.question()
    }

    /// The questions of a call that were answered, and the answers.
    pub(super) fn answers(&self, call: CallId) -> &[(String, Question, Decision)] {
        self.standing(call).map_or(&[], RoundCall::answers)
    }

    /// How often a call has started, apart from the attempts that ended with a question.
    pub(super) fn tries(&self, index: usize) -> u32 {
        let asked = self.standing.get(index).map_or(0, RoundCall::questions);
        self.schedule.attempt(index).saturating_sub(asked)
    }

    /// The last checkpoint of a call without a result.
    pub(super) fn checkpoint(&self, call: CallId) -> Option<&Arc<str>> {
        self.standing(call)?.checkpoint()
    }

    /// Returns true if an attempt of a call has begun what the next one goes on with.
    pub(super) fn has_begun(&self, call: CallId) -> bool {
        self.standing(call).is_some_and(RoundCall::has_begun)
    }

    /// How often the approval of a call or the answer to its question was asked for before the last time.
    pub(super) fn asked_before(&self, call: CallId) -> u32 {
        self.standing(call).map_or(0, RoundCall::asked_before)
    }

    /// The calls that wait for others, if nothing else is under way.
    pub(super) fn waiting_for_others(&self) -> Vec<(CallId, &Delay)> {
        let is_idle = self.schedule.running() == 0 && self.schedule.next().is_none();
        if !is_idle || !self.delayed().all(|(_, why)| why.suspends()) {
            return Vec::new();
        }
        self.delayed().collect()
    }

    /// Applies a record that the round [accepts](Self::accepts) and that is no result.
    pub(super) fn apply(&mut self, record: &Record) {
        match record {
            Record::CallStarted { .. } => {
                // Calls start in the one order that the schedule gives.
                if let Some(index) = self.schedule.start() {
                    self.standing[index].start();
                }
            }
            Record::CallPrepared {
                call,
                arguments,
                changes,
            } => {
                let index = call.index as usize;
                self.calls.to_mut()[index].arguments.clone_from(arguments);
                self.standing[index].set_changes(changes.clone());
            }
            Record::CallDelayed { call, why } => {
                let index = call.index as usize;
                self.schedule.delay(index);
                self.standing[index].delay(why);
            }
            Record::CallResumed { call } => self.resume(call.index as usize),
            Record::CallInterrupted { call } => {
                let index = call.index as usize;
                self.schedule.delay(index);
                self.schedule.resume(index);
            }
            Record::CallCheckpointed { call, state } => {
                self.standing[call.index as usize].set_checkpoint(state);
            }
            Record::CallDecided {
                call,
                decision,
                tool,
            } => self.decide(call.index as usize, decision, tool.as_deref()),
            Record::QuestionAnswered { call, decision, .. } => {
                self.answer(call.index as usize, decision.clone());
            }
            Record::ApprovalRevoked { call } => self.revoke(call.index as usize),
            Record::CallExpired { call } => self.expire(call.index as usize),
            _ => {}
        }
    }

    /// The records of the calls that were running when their program went away.
    pub(super) fn after_interruption(&self) -> impl Iterator<Item = Record> {
        self.schedule.in_state(CallState::Running).map(|index| {
            if self.standing[index].may_run_again() {
                let call = self.id(index);
                return Record::CallInterrupted { call };
            }
            let why = if has(Fault::HidesInterruption) {
                "the program stopped"
            } else {
                "the program stopped while the call ran; it may have taken effect"
            };
            self.finished_by(index, ToolError::cancelled(why))
        })
    }

    /// A call has its result.
    pub(super) fn finish(&mut self, index: usize, mut result: ToolResult) {
        let (Some(call), Some(standing)) = (self.calls.get(index), self.standing.get_mut(index))
        else {
            return;
        };
        // The result stands for this call, whichever id the tool put into it.
        result.call_id.clone_from(&call.id);
        standing.finish(result);
        self.schedule.finish(index);
        self.vetoed.remove(&index);
    }

    /// The result that follows from the round alone, if one does: of a call that is not allowed or not
    /// approved, and of those that do not start any more, for the reason that is given.
    pub(super) fn due(&self, stopping: Option<&str>) -> Option<Record> {
        let (index, error) = if let Some((&index, error)) = self.vetoed.first_key_value() {
            (index, error.clone())
        } else {
            let reason = stopping?;
            let index = self.schedule.first_not_running()?;
            let failed = self.standing[index].failed().cloned();
            (
                index,
                failed.unwrap_or_else(|| self.unanswered(index, reason)),
            )
        };
        Some(self.finished_by(index, error))
    }

    /// The record of a call that ends with an error of the run.
    fn finished_by(&self, index: usize, error: ToolError) -> Record {
        let result = ToolResult::error(&self.calls[index].id, error);
        Record::CallFinished {
            call: self.id(index),
            result: result.with_changes(self.standing[index].changes().to_vec()),
            spent: self.standing[index].spent_below().cloned().map(Box::new),
        }
    }

    /// What suspended runs below have spent whose calls have no result.
    pub(super) fn spent_below(&self) -> impl Iterator<Item = &CallSpent> {
        self.standing.iter().filter_map(RoundCall::spent_below)
    }

    /// What suspended runs below have spent that this call has started, if it has no result.
    pub(super) fn spent_below_of(&self, call: CallId) -> Option<&CallSpent> {
        self.standing(call)?.spent_below()
    }

    /// The error of a call that comes to no end, for this reason.
    fn unanswered(&self, index: usize, reason: &str) -> ToolError {
        let attempts = self.schedule.attempt(index);
        self.standing[index].unanswered(attempts, reason)
    }

    /// The calls of the round, their results, and what comes next, once every call has finished.
    pub(super) fn take(&mut self) -> (SharedVec<ToolCall>, Vec<ToolResult>, Then) {
        let results = self.standing.iter_mut().map(RoundCall::take_result);
        let mut results: Vec<_> = results.collect();
        spoil(&mut results);
        let results = results.into_iter().flatten().collect();
        let then = replace(&mut self.then, Then::Ask);
        (take(&mut self.calls), results, then)
    }

    /// A result for each call, also for those that have none yet.
    pub(super) fn results_so_far(&self) -> impl Iterator<Item = ToolResult> {
        let calls = self.calls.iter().zip(&self.standing).enumerate();
        calls.map(|(index, (call, standing))| {
            let unanswered = || self.unanswered(index, "the run was interrupted");
            let result = standing.result().cloned();
            result.unwrap_or_else(|| ToolResult::error(&call.id, unanswered()))
        })
    }

    fn resume(&mut self, index: usize) {
        self.schedule.resume(index);
        self.standing[index].resume();
    }

    fn standing(&self, call: CallId) -> Option<&RoundCall> {
        self.standing.get(call.index as usize)
    }

    fn id(&self, index: usize) -> CallId {
        let index = u32::try_from(index).expect("a response holds fewer than 2^32 calls");
        CallId {
            round: self.number,
            index,
        }
    }
}
