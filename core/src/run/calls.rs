//! The calls of a run: what is known of each.

use std::sync::Arc;

use super::{CallId, Delay, PendingCall, Run, round::Round};
use crate::{
    ToolError,
    message::SharedVec,
    schedule::CallState,
    tool::{Decision, Question, ToolCall, ToolDefinition, ToolPolicy, is_edited},
};

/// The calls of the round under way.
impl Run {
    /// The call of an id, with the arguments that it runs or ran with, also when its round is over.
    pub fn call(&self, id: CallId) -> Option<&ToolCall> {
        match self.round_of(id) {
            Some(round) => round.calls().get(id.index as usize),
            None => self.state.rounds.call(id),
        }
    }

    /// The calls of the round of a call that is under way, and its place among them. Whoever runs it holds them
    /// while the run changes.
    #[doc(hidden)]
    pub fn shared_calls(&self, id: CallId) -> Option<(SharedVec<ToolCall>, usize)> {
        let (round, index) = (self.round_of(id)?, id.index as usize);
        (index < round.calls().len()).then(|| (round.calls().clone(), index))
    }

    /// Returns true if a round of calls is under way.
    pub fn is_calling(&self) -> bool {
        self.state.phase.round().is_some()
    }

    /// The ids of the calls of the round that is under way.
    pub fn calls_under_way(&self) -> Vec<CallId> {
        let round = self.state.phase.round();
        round.map_or_else(Vec::new, |round| round.ids().collect())
    }

    /// The number of calls of the round that is under way that have no result.
    pub fn open_calls(&self) -> usize {
        self.state.phase.round().map_or(0, Round::open)
    }

    /// Returns the policy of a call's tool, in the round that is under way.
    pub fn policy(&self, id: CallId) -> Option<&ToolPolicy> {
        self.round_of(id)?.policy(id)
    }

    /// Returns how often a call of the current round has started: 1 while its first attempt runs.
    pub fn attempt(&self, id: CallId) -> u32 {
        self.round_of(id).map_or(0, |round| round.attempt(id))
    }

    /// Returns the error of the last attempt of a call, until it starts another one.
    pub fn failed(&self, id: CallId) -> Option<&ToolError> {
        self.round_of(id)?.failed(id)
    }

    /// The error of a call that may not start, or not go on, for this reason: one that has started before may have taken
    /// effect.
    pub fn refused(&self, id: CallId, error: ToolError) -> ToolError {
        let before = self.attempt(id) - u32::from(self.is_running(id));
        match self.round_of(id) {
            Some(round) => round.refused(id, before, error),
            None => error,
        }
    }

    /// Returns true if a call is delayed: see [`delayed`](Self::delayed).
    pub fn is_delayed(&self, id: CallId) -> bool {
        self.state_of(id) == Some(CallState::Delayed)
    }

    /// The calls that are delayed, in order, and what they wait for.
    pub fn delayed(&self) -> impl Iterator<Item = (CallId, &Delay)> {
        let round = self.state.phase.round();
        round.into_iter().flat_map(Round::delayed)
    }

    /// The calls that are approved and may still start, with the definition of the tool that was approved; `None` if it is
    /// not known. An approval holds for this tool. After a run was [replayed](Self::replay) the tools may be others: signal
    /// [`ApprovalRevoked`](super::Signal::ApprovalRevoked) for each call whose tool is, and for each that waits for the approval of
    /// a tool that has changed.
    pub fn approvals(&self) -> impl Iterator<Item = (CallId, Option<&ToolDefinition>)> {
        let round = self.state.phase.round();
        round.into_iter().flat_map(Round::approvals)
    }

    /// The number of earlier requests for the approval of a call, which its tool's changes made void, and of its earlier
    /// questions.
    pub fn asked_before(&self, id: CallId) -> u32 {
        let round = self.round_of(id);
        round.map_or(0, |round| round.asked_before(id))
    }

    /// The calls that wait for people or for the application, if nothing else is under way: none of the others runs or
    /// may start. The run may then be [suspended](super::Finish::Suspended).
    pub fn waiting_for_others(&self) -> Vec<(CallId, &Delay)> {
        let goes_on = self.state.stopping.reason().is_none();
        let round = self.state.phase.round().filter(|_| goes_on);
        round.map_or_else(Vec::new, Round::waiting_for_others)
    }

    /// A call that waits for people or for the application; `None` if it does not. The records have neither the time since
    /// when it waits nor the definition of its tool.
    pub fn pending_call(&self, id: CallId) -> Option<PendingCall> {
        let (_, why) = self.delayed().find(|(call, _)| *call == id)?;
        let asked = self.round_of(id)?.question(id);
        let (key, question) = asked.unzip();
        Some(PendingCall {
            run_id: self.id().clone(),
            id,
            call: self.call(id)?.clone(),
            waits_for: why.waits_for()?,
            question: question.cloned(),
            question_key: key.map(str::to_owned),
            since: None,
            effects: self.policy(id)?.effects,
            definition: None,
            asked: self.asked_before(id),
            has_begun: self.round_of(id)?.has_begun(id),
            path: Vec::new(),
        })
    }

    /// The last [checkpoint](crate::ToolContext::checkpoint) of a call without a result.
    pub fn checkpoint(&self, id: CallId) -> Option<&Arc<str>> {
        self.round_of(id)?.checkpoint(id)
    }

    /// Returns true if the next attempt of a call goes on with what an earlier one has begun, and is none that follows a
    /// failure.
    pub fn goes_on(&self, id: CallId) -> bool {
        let is_kept = self.policy(id).is_some_and(|policy| policy.resumes);
        let has_begun = self.attempt(id) > 0;
        let continues = self.checkpoint(id).is_some() || !self.answers(id).is_empty();
        has_begun && (is_kept || continues && self.failed(id).is_none())
    }

    /// The questions of a call without a result that were answered, by their keys, and the answers.
    pub fn answers(&self, id: CallId) -> &[(String, Question, Decision)] {
        let round = self.round_of(id);
        round.map_or(&[], |round| round.answers(id))
    }

    /// How often a call of the current round has started, apart from the attempts that ended with a question.
    pub fn tries(&self, id: CallId) -> u32 {
        self.round_of(id)
            .map_or(0, |round| round.tries(id.index as usize))
    }

    /// Returns true if an attempt of a call runs.
    pub fn is_running(&self, id: CallId) -> bool {
        self.state_of(id) == Some(CallState::Running)
    }

    /// Returns true if a call has its result, or its round is over.
    pub fn has_result(&self, id: CallId) -> bool {
        self.state_of(id)
            .is_none_or(|state| state == CallState::Finished)
    }

    /// Returns true if a call runs with other arguments than the model's, because its approval changed them.
    pub fn is_edited(&self, id: CallId) -> bool {
        let round = self.round_of(id);
        round.is_some_and(|round| is_edited(round.changes(id)))
    }

    fn state_of(&self, id: CallId) -> Option<CallState> {
        self.round_of(id)?.state(id)
    }

    fn round_of(&self, id: CallId) -> Option<&Round> {
        self.state.phase.round_of(id)
    }
}
