//! Calls whose runs below are suspended.

mod passing;

use std::collections::BTreeMap;

use super::Driver;
use toolwright_core::run::{CallId, Delay, PendingCall, Signal};

/// The calls of a run whose runs below are suspended.
#[derive(Default)]
pub(super) struct Below {
    /// With the calls there that wait.
    waiting: BTreeMap<CallId, Vec<PendingCall>>,
    /// What is said to runs below.
    pub(super) passing: passing::Passing,
}

impl Below {
    /// The calls of runs below that wait.
    pub(super) fn calls(&self) -> impl Iterator<Item = &PendingCall> {
        self.waiting.values().flatten()
    }
}

impl Driver<'_> {
    /// Lets a call wait whose attempt has ended since a run below is suspended. It gives `false` if there is none, or if
    /// the call cannot go on with it.
    pub(super) fn waits_below(&mut self, id: CallId) -> bool {
        let Some(pending) = self.node.take_waiting(id) else {
            return false;
        };
        let calls = pending.iter().map(PendingCall::as_recorded).collect();
        let spent = Box::new(self.node.spent_by(id).unwrap_or_default());
        self.signal(Signal::CallDelayed(id, Delay::Below { calls, spent }));
        if !self.run.is_delayed(id) {
            return false;
        }
        self.node.note(&self.run);
        self.below.waiting.insert(id, pending);
        if self.below.passing.was_spoken_to(id) {
            self.go_on_below(id);
        }
        true
    }

    /// Lets a call go on whose runs below were suspended.
    pub(super) fn go_on_below(&mut self, id: CallId) {
        self.below.waiting.remove(&id);
        self.node.goes_on(id);
        self.signal(Signal::CallResumed(id));
    }
}
