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

impl Round {
    /// Returns true if the call needs an approval before it starts.
    pub(in crate::run) fn needs_approval(&self, index: usize) -> bool {
        self.policies[index].approval
            && !self.approved.contains_key(&index)
            && !has(Fault::RunsUnapproved)
    }

    /// The calls that are approved and may still start, with the definition of the tool that was approved.
    pub(in crate::run) fn approvals(
        &self,
    ) -> impl Iterator<Item = (CallId, Option<&ToolDefinition>)> {
        let open = self.approved.iter();
        let open = open.filter(|(index, _)| self.is_approved(**index));
        open.map(|(index, tool)| (self.id(*index), tool.as_deref()))
    }

    /// Returns true if a call is approved and may still start.
    pub(super) fn is_approved(&self, index: usize) -> bool {
        let may_start = match self.schedule.state(index) {
            Some(CallState::Waiting) => true,
            Some(CallState::Delayed) => !self.delays.get(&index).is_some_and(Delay::is_of_others),
            _ => false,
        };
        may_start && self.approved.contains_key(&index)
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
        self.approved.insert(index, tool.cloned().map(Box::new));
        self.resume(index);
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
            self.approved.insert(index, None);
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
        if !has(Fault::KeepsRevoked) {
            self.approved.remove(&index);
        }
    }

    /// How often the approval of a call was asked for before the last time.
    pub(in crate::run) fn asked_before(&self, index: usize) -> u32 {
        let asked = self.asked.get(&index).copied().unwrap_or_default();
        asked.saturating_sub(1)
    }
}
