//! The calls of runs below that wait for people or for the application, as the log of the run says it.

use std::collections::{BTreeMap, BTreeSet};

use super::Change;
use toolwright_core::run::{CallId, PendingCall};

/// The calls of runs below that wait, by the call of the run that waits for them.
#[derive(Debug, Default)]
pub(super) struct WaitingBelow {
    /// They stay until it is known that they no longer wait: a decision may be taken or not.
    calls: BTreeMap<CallId, Vec<PendingCall>>,
    /// The calls of the run that have not gone on since.
    suspended: BTreeSet<CallId>,
    /// Those that wait no longer, by their id for clients and how often they were asked about before.
    over: BTreeSet<(String, u32)>,
}

impl WaitingBelow {
    /// A call of the run waits for these.
    pub(super) fn wait(&mut self, call: CallId, now: &[PendingCall], out: &mut Vec<Change>) {
        let before = self.calls.remove(&call).unwrap_or_default();
        for old in before.iter().filter(|old| !now.contains(old)) {
            self.end(old, out);
        }
        for new in now.iter().filter(|new| !before.contains(new)) {
            out.push(Change::BelowAsked(Box::new(new.clone())));
        }
        self.calls.insert(call, now.to_vec());
        self.suspended.insert(call);
    }

    /// A call of the run goes on.
    pub(super) fn goes_on(&mut self, call: CallId) {
        self.suspended.remove(&call);
    }

    /// A call of the run has its result.
    pub(super) fn finish(&mut self, call: CallId, out: &mut Vec<Change>) {
        self.suspended.remove(&call);
        for old in self.calls.remove(&call).unwrap_or_default() {
            self.end(&old, out);
        }
    }

    fn end(&mut self, call: &PendingCall, out: &mut Vec<Change>) {
        self.over.insert((call.tool_call_id(), call.asked));
        out.push(Change::BelowOver(Box::new(call.clone())));
    }

    /// The calls that wait.
    pub(super) fn calls(&self) -> impl Iterator<Item = &PendingCall> {
        self.calls.values().flatten()
    }

    /// Returns true if a call of the run waits for calls below.
    pub(super) fn is_suspended(&self) -> bool {
        !self.suspended.is_empty()
    }

    /// The calls that wait no longer.
    pub(super) fn over(&self) -> impl Iterator<Item = &(String, u32)> {
        self.over.iter()
    }
}
