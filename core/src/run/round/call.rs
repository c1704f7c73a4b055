//! A call of a round: its policy, and where it stands.

use std::sync::Arc;

use crate::{
    ErrorCategory, ToolError,
    conversation::not_executed,
    run::{
        CallSpent, Delay,
        approval::{MAX_QUESTIONS, denied},
        faults::{Fault, has},
    },
    tool::{ArgumentChange, Decision, Effects, Question, ToolDefinition, ToolPolicy, ToolResult},
};

/// A call of a round: its policy, and where it stands. What it is called with is in the list that all calls share, and when
/// it starts is in the schedule.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RoundCall {
    policy: ToolPolicy,
    /// The reason why it waits, if it is delayed.
    delay: Option<Delay>,
    /// The error of the last attempt, if it gets another one.
    failed: Option<ToolError>,
    /// The changes to its arguments that led to those it runs with, if there were any.
    changes: Option<Vec<ArgumentChange>>,
    /// How often its approval was asked for, or the answer to a question.
    asked: u32,
    approval: Approval,
    /// What the suspended runs below have spent that it has started, while it has no result.
    below: Option<Box<CallSpent>>,
    /// Where its next attempt continues, while it has no result.
    checkpoint: Option<Arc<str>>,
    /// The answers to its questions, while it has no result.
    answers: Vec<(String, Question, Decision)>,
    /// The number of those that its next attempt does not get: they were for a call that was approved before.
    void: usize,
    result: Option<ToolResult>,
}

/// The approval of a call that needs one.
#[derive(Debug, Clone, Default, PartialEq)]
struct Approval {
    is_given: bool,
    /// The definition of the tool that was approved, if it is known.
    tool: Option<Box<ToolDefinition>>,
}

impl RoundCall {
    pub(super) fn new(policy: ToolPolicy) -> Self {
        Self {
            policy,
            delay: None,
            failed: None,
            changes: None,
            asked: 0,
            approval: Approval::default(),
            below: None,
            checkpoint: None,
            answers: Vec::new(),
            void: 0,
            result: None,
        }
    }

    pub(super) fn policy(&self) -> &ToolPolicy {
        &self.policy
    }

    /// An attempt starts.
    pub(super) fn start(&mut self) {
        self.failed = None;
    }

    /// It has other arguments than the model's, by these changes.
    pub(super) fn set_changes(&mut self, changes: Vec<ArgumentChange>) {
        self.changes = Some(changes);
    }

    /// It waits.
    pub(super) fn delay(&mut self, why: &Delay) {
        match why {
            Delay::Retry { error } => self.failed = Some(error.clone()),
            Delay::Approval | Delay::Question { .. } => self.asked += 1,
            Delay::Below { spent, .. } => self.below = Some(spent.clone()),
            _ => {}
        }
        self.delay = Some(why.clone());
    }

    /// Its wait is over.
    pub(super) fn resume(&mut self) {
        self.delay = None;
    }

    /// It has its result.
    pub(super) fn finish(&mut self, result: ToolResult) {
        self.result = Some(result);
        (self.delay, self.failed, self.changes) = (None, None, None);
        (self.below, self.checkpoint) = (None, None);
        (self.answers, self.void) = (Vec::new(), 0);
    }

    /// It is approved, as a call of this tool if that is known.
    pub(super) fn approve(&mut self, tool: Option<&ToolDefinition>) {
        self.approval.is_given = true;
        self.approval.tool = tool.cloned().map(Box::new);
    }

    /// Its approval holds no more.
    pub(super) fn revoke(&mut self) {
        if !has(Fault::KeepsRevoked) {
            self.approval.is_given = false;
            self.approval.tool = None;
            // The next approval may be for other arguments. An open question was asked about these as well.
            self.void = self.answers.len() + usize::from(self.question().is_some());
        }
    }

    /// Returns true if it is approved.
    pub(super) fn has_approval(&self) -> bool {
        self.approval.is_given
    }

    /// Returns true if it needs an approval before it starts.
    pub(super) fn needs_approval(&self) -> bool {
        self.policy.approval && !self.has_approval() && !has(Fault::RunsUnapproved)
    }

    /// The definition of the tool that was approved, if it is known.
    pub(super) fn approved_tool(&self) -> Option<&ToolDefinition> {
        self.approval.tool.as_deref()
    }

    /// How often its approval or an answer was asked for before the last time.
    pub(super) fn asked_before(&self) -> u32 {
        self.asked.saturating_sub(1)
    }

    /// The reason why it waits, if it is delayed.
    pub(super) fn delayed(&self) -> Option<&Delay> {
        self.delay.as_ref()
    }

    /// What the suspended runs below have spent that it has started, while it has no result.
    pub(super) fn spent_below(&self) -> Option<&CallSpent> {
        self.below.as_deref()
    }

    /// Its next attempt continues from this text.
    pub(super) fn set_checkpoint(&mut self, state: &str) {
        self.checkpoint = Some(state.into());
    }

    /// Where its next attempt continues.
    pub(super) fn checkpoint(&self) -> Option<&Arc<str>> {
        self.checkpoint
            .as_ref()
            .filter(|_| !has(Fault::ForgetsCheckpoint))
    }

    /// Returns true if an attempt has begun what the next one goes on with: the arguments stay.
    pub(super) fn has_begun(&self) -> bool {
        self.checkpoint.is_some() || self.below.is_some()
    }

    /// The question whose answer it waits for, and its key.
    pub(super) fn question(&self) -> Option<(&str, &Question)> {
        match &self.delay {
            Some(Delay::Question { key, question }) => Some((key, question)),
            _ => None,
        }
    }

    /// Returns true if it may ask a question under a key: one that has no answer, and not too many.
    pub(super) fn may_ask(&self, key: &str, question: &Question) -> bool {
        let mut known = self.answers().iter();
        let is_new = known.all(|(answered, asked, _)| answered != key || asked != question);
        is_new && self.answers.len() < MAX_QUESTIONS
    }

    /// The question that it waits for has its answer.
    pub(super) fn answer(&mut self, answer: Decision) {
        if let Some((key, question)) = self.question()
            && !has(Fault::ForgetsAnswers)
        {
            let answered = (key.to_owned(), question.clone(), answer);
            self.answers.push(answered);
        }
    }

    /// The answers to its questions, by their keys.
    pub(super) fn answers(&self) -> &[(String, Question, Decision)] {
        self.answers.get(self.void..).unwrap_or_default()
    }

    /// The number of its attempts that ended with a question.
    pub(super) fn questions(&self) -> u32 {
        let waits = usize::from(self.question().is_some());
        u32::try_from(self.answers.len() + waits).unwrap_or(u32::MAX)
    }

    /// Returns true if it waits for an approval.
    pub(super) fn is_asked(&self) -> bool {
        self.delay == Some(Delay::Approval)
    }

    /// Returns true if it waits for the answer of the application.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.delay == Some(Delay::External)
    }

    /// Returns true if people or the application end its wait.
    pub(super) fn waits_for_others(&self) -> bool {
        self.delay.as_ref().is_some_and(Delay::is_of_others)
    }

    /// The error of the last attempt, if it gets another one.
    pub(super) fn failed(&self) -> Option<&ToolError> {
        self.failed.as_ref()
    }

    /// Returns true if it has other arguments than the model's.
    pub(super) fn is_changed(&self) -> bool {
        self.changes.is_some()
    }

    /// The changes to its arguments.
    pub(super) fn changes(&self) -> &[ArgumentChange] {
        self.changes.as_deref().unwrap_or_default()
    }

    pub(super) fn result(&self) -> Option<&ToolResult> {
        self.result.as_ref()
    }

    pub(super) fn take_result(&mut self) -> Option<ToolResult> {
        self.result.take()
    }

    /// Returns true if an attempt that was interrupted may be made again.
    pub(super) fn may_run_again(&self) -> bool {
        let Self { policy, .. } = self;
        let goes_on = policy.resumes || self.checkpoint.is_some();
        policy.effects != Effects::Write || goes_on || has(Fault::RerunsWrite)
    }

    /// The error of one that is denied, after so many attempts: it may have started with an approval that was revoked
    /// then.
    pub(super) fn not_approved(&self, attempts: u32, reason: &str) -> ToolError {
        if attempts == 0 || self.policy.effects == Effects::ReadOnly {
            return denied(reason);
        }
        let mut reason = reason.to_owned();
        if !reason.is_empty() {
            reason.push_str("; ");
        }
        denied(&(reason + "it had started before, and may have taken effect"))
    }

    /// The error of one that may not start, or not go on, after so many attempts.
    pub(super) fn refused(&self, attempts: u32, mut error: ToolError) -> ToolError {
        if attempts > 0 && self.policy.effects != Effects::ReadOnly {
            let why = "; it had started before, and may have taken effect";
            error.message.push_str(why);
        }
        error
    }

    /// The error of a call without a decision or an answer in time.
    pub(super) fn expired(&self, attempts: u32) -> ToolError {
        if !self.is_elsewhere() {
            return self.not_approved(attempts, "nobody decided in time");
        }
        let aftermath = self.policy.effects.aftermath();
        let message = format!("nobody answered in time{aftermath}");
        ToolError::new(ErrorCategory::ExecutionTimeout, message)
    }

    /// The error of one that comes to no end, for this reason and after so many attempts. One that has begun, here or
    /// elsewhere, may have done what it does.
    pub(super) fn unanswered(&self, attempts: u32, reason: &str) -> ToolError {
        if !self.is_elsewhere() && attempts == 0 {
            return not_executed(reason);
        }
        let aftermath = self.policy.effects.aftermath();
        ToolError::cancelled(format!("{reason} before the call was answered{aftermath}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approval_that_is_revoked_is_asked_for_again() {
        let mut call = RoundCall::new(ToolPolicy::default().with_approval());
        for asked_before in 0..2 {
            assert!(call.needs_approval());
            call.delay(&Delay::Approval);
            assert!(call.is_asked() && call.waits_for_others());
            assert_eq!(call.asked_before(), asked_before);
            call.approve(None);
            call.resume();
            assert!(call.has_approval() && !call.needs_approval());
            call.revoke();
        }
    }

    #[test]
    fn a_retry_keeps_the_error_of_the_last_attempt_until_it_starts() {
        let mut call = RoundCall::new(ToolPolicy::default());
        let error = ToolError::new(ErrorCategory::NetworkError, "gone");
        call.delay(&Delay::Retry {
            error: error.clone(),
        });
        call.resume();
        assert_eq!((call.failed(), call.delayed()), (Some(&error), None));
        call.start();
        assert_eq!(call.failed(), None);
    }

    #[test]
    fn what_is_known_of_a_call_that_has_begun_is_told() {
        let of = |effects| RoundCall::new(ToolPolicy::default().with_effects(effects));
        let text = |error: ToolError| error.message;
        let write = of(Effects::Write);
        assert!(text(write.unanswered(0, "why")).contains("not executed"));
        assert!(text(write.unanswered(1, "why")).contains("may have taken effect"));
        assert!(text(write.not_approved(1, "")).contains("had started before"));
        assert!(!text(of(Effects::ReadOnly).not_approved(1, "")).contains("had started"));
        let mut external = of(Effects::Write);
        external.delay(&Delay::External);
        assert!(text(external.unanswered(0, "why")).contains("may have taken effect"));
        assert_eq!(
            external.expired(0).category,
            ErrorCategory::ExecutionTimeout
        );
    }
}
