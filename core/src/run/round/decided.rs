//! Decisions about the calls of a round.

use super::Round;
use crate::{
    run::{
        approval::UNANSWERED,
        faults::{Fault, has},
    },
    schedule::CallState,
    tool::{ArgumentChange, Decision, ToolDefinition},
};

impl Round {
    /// Returns true if a call is approved and may still start.
    pub(super) fn is_approved(&self, index: usize) -> bool {
        let call = &self.standing[index];
        let may_start = match self.schedule.state(index) {
            Some(CallState::Waiting) => true,
            // One that waits for an answer was approved before it started.
            Some(CallState::Delayed) => !call.waits_for_others() || call.question().is_some(),
            _ => false,
        };
        may_start && call.has_approval()
    }

    /// Somebody has decided about a call, as one of this tool if that is known.
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
                    self.standing[index].set_changes(vec![ArgumentChange::edited()]);
                }
                if !has(Fault::DropsEdit) {
                    call.arguments.clone_from(arguments);
                }
            }
            Decision::Deny { .. } if has(Fault::RunsDenied) => {}
            Decision::Deny { reason } => {
                let attempts = self.schedule.attempt(index);
                let error = self.standing[index].not_approved(attempts, reason);
                self.vetoed.insert(index, error);
                return;
            }
        }
        self.standing[index].approve(tool);
        self.resume(index);
    }

    /// The question of a call has its answer: it starts again, and knows it.
    pub(super) fn answer(&mut self, index: usize, answer: Decision) {
        self.standing[index].answer(answer);
        self.resume(index);
    }

    /// Nobody decided about a call, or answered it, in time.
    pub(super) fn expire(&mut self, index: usize) {
        if self.standing[index].question().is_some() {
            return self.answer(index, Decision::deny(UNANSWERED));
        }
        if has(Fault::RunsExpired) {
            self.standing[index].approve(None);
            return self.resume(index);
        }
        let attempts = self.schedule.attempt(index);
        self.vetoed
            .insert(index, self.standing[index].expired(attempts));
    }

    /// Withdraws an approval or the request for it, which is made again.
    pub(super) fn revoke(&mut self, index: usize) {
        if self.standing[index].is_asked() {
            self.resume(index);
        }
        self.standing[index].revoke();
    }
}
