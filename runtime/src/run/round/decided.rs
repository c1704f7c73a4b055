//! Decisions about the calls of a round.

use super::Round;
use crate::{
    run::{
        approval::denied,
        faults::{Fault, has},
    },
    tool::{ArgumentChange, Decision},
};

impl Round {
    /// Returns true if the call needs an approval before it starts.
    pub(in crate::run) fn needs_approval(&self, index: usize) -> bool {
        self.policies[index].approval
            && !self.approved.contains(&index)
            && !has(Fault::RunsUnapproved)
    }

    pub(super) fn decide(&mut self, index: usize, decision: &Decision) {
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
                self.vetoed.insert(index, denied(reason));
                return;
            }
        }
        self.approved.insert(index);
        self.resume(index);
    }
}
