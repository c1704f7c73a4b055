//! Calls that wait since a run below them is suspended, or only waits for people.

use super::RunNode;
use toolwright_core::run::{CallId, PendingCall};

/// Says above whether a run waits for nothing but people, until it is dropped.
pub(in crate::runner) struct Waits(RunNode);

impl Waits {
    pub(in crate::runner) fn set(&self, waits: bool) {
        let Some(by) = &self.0.0.started_by else {
            return;
        };
        if let Some(above) = &by.above {
            let mut above = above.lock();
            if waits {
                above.people.insert(by.call);
            } else {
                above.people.remove(&by.call);
            }
        }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.set(false);
    }
}

impl RunNode {
    /// Lets the run above hear whether this one waits for nothing but people.
    pub(in crate::runner) fn waits(self) -> Waits {
        Waits(self)
    }

    /// The number of calls whose runs below wait for nothing but people.
    pub(in crate::runner) fn waiting_below(&self) -> usize {
        self.lock().people.len()
    }

    /// The calls that wait in suspended runs below, if the attempt of a call that has ended has left any.
    pub(in crate::runner) fn take_waiting(&self, call: CallId) -> Option<Vec<PendingCall>> {
        self.lock().waiting.remove(&call)
    }

    /// Says that a call goes on with the runs that it has started: they have the same numbers.
    pub(in crate::runner) fn goes_on(&self, call: CallId) {
        self.lock().started.remove(&call);
    }
}
