//! Calls that wait since a run below them is suspended.

use super::{RunNode, StartedBy};
use toolwright_core::run::{AgentCall, RunId};
use toolwright_core::run::{CallId, PendingCall};

impl StartedBy {
    /// Returns true if no run was started by the call before, as far as this process knows.
    pub(in crate::runner) fn is_first(&self) -> bool {
        self.number == 0
    }

    /// Says that the run, of this id, is suspended since these calls wait. The call waits with it, if the runs are kept.
    pub(in crate::runner) fn suspended(&self, run_id: &RunId, pending: Vec<PendingCall>) {
        let (Some(above), Some(_), Some(agent)) = (&self.above, self.kept(), self.names.last())
        else {
            return;
        };
        let step = AgentCall::new(self.call, agent.clone(), run_id.clone());
        let pending = pending.into_iter().map(|mut pending| {
            pending.path.insert(0, step.clone());
            pending
        });
        let mut spending = above.lock();
        spending
            .waiting
            .entry(self.call)
            .or_default()
            .extend(pending);
    }
}

impl RunNode {
    /// The calls that wait in suspended runs below, if the attempt of a call that has ended has left any.
    pub(in crate::runner) fn take_waiting(&self, call: CallId) -> Option<Vec<PendingCall>> {
        self.lock().waiting.remove(&call)
    }

    /// Says that a call goes on with the runs that it has started: they have the same numbers.
    pub(in crate::runner) fn goes_on(&self, call: CallId) {
        self.lock().started.remove(&call);
    }
}
