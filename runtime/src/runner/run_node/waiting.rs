//! Calls that wait since a run below them is suspended.

use super::RunNode;
use toolwright_core::run::{CallId, PendingCall};

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
