//! Decisions about the calls of a round.

use super::Round;
use crate::{
    ErrorCategory, ToolError,
    run::{
        CallId, Delay,
        approval::denied,
        faults::{Fault, has},
    },
    schedule::CallState,
    tool::{ArgumentChange, Decision, Effects, ToolDefinition},
};

/// The approval of a call that needs one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Approval {
    /// How often it was asked for.
    pub(super) asked: u32,
    is_given: bool,
    /// The definition of the tool that was approved, if it is known.
    tool: Option<Box<ToolDefinition>>,
}

impl Round {
    /// Returns true if the call needs an approval before it starts.
    pub(in crate::run) fn needs_approval(&self, index: usize) -> bool {
        self.policies[index].approval && !self.has_approval(index) && !has(Fault::RunsUnapproved)
    }

    /// The calls that are approved and may still start, with the definition of the tool that was approved.
    pub(in crate::run) fn approvals(
        &self,
    ) -> impl Iterator<Item = (CallId, Option<&ToolDefinition>)> {
        let open = self.approvals.iter();
        let open = open.filter(|(index, _)| self.is_approved(**index));
        open.map(|(index, approval)| (self.id(*index), approval.tool.as_deref()))
    }

    /// Returns true if a call is approved.
    pub(super) fn has_approval(&self, index: usize) -> bool {
        (self.approvals.get(&index)).is_some_and(|approval| approval.is_given)
    }

    /// Returns true if a call is approved and may still start.
    pub(super) fn is_approved(&self, index: usize) -> bool {
        let may_start = match self.schedule.state(index) {
            Some(CallState::Waiting) => true,
            Some(CallState::Delayed) => !self.delays.get(&index).is_some_and(Delay::is_of_others),
            _ => false,
        };
        may_start && self.has_approval(index)
    }

    pub(super) fn decide(
        &mut self,
        index: usize,
        decision: &Decision,
        tool: Option<&ToolDefinition>,
    ) {
        match decision {
            Decision::Approve => {}
            Decision::ApproveWith { arguments } => {
                let call = &mut self.calls.to_mut()[index];
                if ArgumentChange::is_edit(&call.arguments, arguments) {
                    // They are no longer the model's.
                    self.changes.insert(index, vec![ArgumentChange::edited()]);
                }
                if !has(Fault::DropsEdit) {
                    call.arguments.clone_from(arguments);
                }
            }
            Decision::Deny { .. } if has(Fault::RunsDenied) => {}
            Decision::Deny { reason } => {
                self.vetoed.insert(index, self.not_approved(index, reason));
                return;
            }
        }
        self.approve(index, tool);
        self.resume(index);
    }

    fn approve(&mut self, index: usize, tool: Option<&ToolDefinition>) {
        let approval = self.approvals.entry(index).or_default();
        approval.is_given = true;
        approval.tool = tool.cloned().map(Box::new);
    }

    /// The error of a call that is denied. It may have started before, with an approval that was revoked then.
    fn not_approved(&self, index: usize, reason: &str) -> ToolError {
        let has_run = self.schedule.attempt(index) > 0;
        if !has_run || self.policies[index].effects == Effects::ReadOnly {
            return denied(reason);
        }
        let mut reason = reason.to_owned();
        if !reason.is_empty() {
            reason.push_str("; ");
        }
        denied(&(reason + "it had started before, and may have taken effect"))
    }

    /// Nobody decided about a call, or answered it, in time.
    pub(super) fn expire(&mut self, index: usize) {
        if has(Fault::RunsExpired) {
            self.approve(index, None);
            return self.resume(index);
        }
        let error = if self.delays.get(&index) == Some(&Delay::External) {
            let aftermath = self.policies[index].effects.aftermath();
            let message = format!("nobody answered in time{aftermath}");
            ToolError::new(ErrorCategory::ExecutionTimeout, message)
        } else {
            self.not_approved(index, "nobody decided in time")
        };
        self.vetoed.insert(index, error);
    }

    /// Takes an approval back, or the question for it: somebody is asked again.
    pub(super) fn revoke(&mut self, index: usize) {
        if self.delays.get(&index) == Some(&Delay::Approval) {
            self.resume(index);
        }
        if let Some(approval) = self.approvals.get_mut(&index)
            && !has(Fault::KeepsRevoked)
        {
            approval.is_given = false;
            approval.tool = None;
        }
    }

    /// How often the approval of a call was asked for before the last time.
    pub(in crate::run) fn asked_before(&self, index: usize) -> u32 {
        let approval = self.approvals.get(&index);
        approval.map_or(0, |approval| approval.asked.saturating_sub(1))
    }
}
