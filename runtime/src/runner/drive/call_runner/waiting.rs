//! Calls that wait for people or for the application.

use std::{
    collections::{BTreeMap, BTreeSet},
    task::{Context, Poll},
    time::{Duration, SystemTime},
};

use super::{CallRunner, Journal};
use crate::{
    dispatch::{Timers, after},
    runner::{begin::Resumed, control::Inbox},
};
use toolwright_core::{
    driver::millis::now,
    run::{CallId, PendingCall, Resolution, Run, Signal},
};

/// The calls of a run that wait for people or for the application.
pub(super) struct Waiting {
    /// Where those who decide find out what waits.
    inbox: Inbox,
    /// The calls that wait or have waited for others, and since when.
    since: BTreeMap<CallId, SystemTime>,
    /// The calls whose tool has changed since the approval was requested, until it is requested again.
    changed: BTreeSet<CallId>,
    /// When the time of those is over that wait, if the run has such a time.
    expiry: Timers<CallId>,
}

impl Waiting {
    pub(super) fn new(inbox: Inbox) -> Self {
        Self {
            inbox,
            since: BTreeMap::new(),
            changed: BTreeSet::new(),
            expiry: Timers::new(),
        }
    }

    /// Goes on with the calls of a stored run.
    pub(super) fn resume(&mut self, resumed: &mut Resumed) {
        self.since = std::mem::take(&mut resumed.waited);
        self.changed = std::mem::take(&mut resumed.changed);
    }

    /// A call begins to wait for a decision or an answer.
    pub(super) fn begin(&mut self, id: CallId) {
        self.since.insert(id, now());
    }

    /// A call waits on, or begins to wait.
    pub(super) fn go_on(&mut self, id: CallId) {
        self.since.entry(id).or_insert_with(now);
    }

    /// A call waits no longer. No other sender is notified that the item was taken.
    pub(super) fn end(&mut self, id: CallId) {
        self.expiry.remove(id);
        self.inbox.expect_no_more(id);
    }

    /// No call waits any longer.
    pub(super) fn clear(&mut self) {
        self.inbox.expect_nothing();
        self.expiry.clear();
    }

    /// The calls whose tool has changed, once.
    pub(super) fn take_changed(&mut self) -> BTreeSet<CallId> {
        std::mem::take(&mut self.changed)
    }

    /// Lets others speak of a call, for the time that a call of this run may wait.
    fn expect(&mut self, run: &Run, pending: PendingCall) {
        let id = pending.id;
        self.inbox.expect(pending);
        self.limit(run, id);
    }

    /// Limits the time that a call may wait.
    pub(super) fn limit(&mut self, run: &Run, id: CallId) {
        if let Some(time) = run.config().pending_time {
            let waited = self.since.get(&id).map_or(Duration::ZERO, since);
            // It may wait already: the run was about to be suspended, and goes on.
            self.expiry.remove(id);
            self.expiry.push(after(time.saturating_sub(waited)), id);
        }
    }

    /// Returns true if the decision or answer came after the time of the call.
    fn is_late(&self, run: &Run, call: CallId, at: Option<SystemTime>) -> bool {
        let (time, since) = (run.config().pending_time, self.since.get(&call));
        let (Some(time), Some(since), Some(at)) = (time, since, at) else {
            return false;
        };
        // A clock that was set back expires nothing.
        at.duration_since(*since).is_ok_and(|waited| waited > time)
    }
}

impl CallRunner<'_> {
    /// A call begins to wait for a decision through the control of the run, or after it is resumed.
    pub(super) fn wait_for_others(&mut self, run: &Run, id: CallId) {
        self.waiting.begin(id);
        self.expect(run, id);
    }

    /// A call of this run waits; a call of a run below is decided there.
    pub(super) fn expect(&mut self, run: &Run, id: CallId) {
        if let Some(pending) = self.pending_call(run, id) {
            self.waiting.expect(run, pending);
        }
    }

    /// The calls wait on of a run that was to be suspended.
    pub(in crate::runner::drive) fn expect_all(&mut self, run: &Run) {
        for (id, _) in run.waiting_for_others() {
            self.expect(run, id);
        }
    }

    /// The next call whose time is over.
    pub(in crate::runner::drive) fn poll_expired(&mut self, cx: &mut Context<'_>) -> Poll<CallId> {
        self.waiting.expiry.poll_next(cx)
    }

    /// The time of a waiting call is over, unless a decision has just come. Its approver is asked no more.
    pub(in crate::runner::drive) fn expire(&mut self, journal: &mut Journal, id: CallId) {
        let is_asked = self.under_way.withdraw(id);
        if self.waiting.inbox.expect_no_more(id) || is_asked {
            journal.signal(Signal::CallExpired(id));
        }
    }

    /// Returns true if a call waits for this decision or answer at this time: the same call with the same arguments
    /// and, if it is to run, the same tool as in the approval request. The answer to a question fits it.
    pub(in crate::runner::drive) fn awaits(
        &self,
        run: &Run,
        resolution: &Resolution,
        at: Option<SystemTime>,
    ) -> bool {
        let id = resolution.id();
        let is_changed = resolution.lets_run() && self.waiting.changed.contains(&id);
        let pending = run.pending_call(id);
        let is_awaited = !is_changed
            && pending.is_some_and(|pending| {
                let decision = resolution.decision();
                let fits = decision.is_none_or(|decision| pending.check(decision).is_ok());
                resolution.is_for(&pending) && fits
            });
        is_awaited && !self.waiting.is_late(run, id, at)
    }

    /// The calls that wait for people or for the application, and those of suspended runs below.
    pub(in crate::runner::drive) fn pending_calls(&self, run: &Run) -> Vec<PendingCall> {
        let own = run.delayed();
        let own = own.filter_map(|(id, _)| self.pending_call(run, id));
        own.chain(self.below.calls().cloned()).collect()
    }

    /// A call of this run that waits, as it is shown to those who decide about it.
    fn pending_call(&self, run: &Run, id: CallId) -> Option<PendingCall> {
        let mut pending = run.pending_call(id)?;
        pending.since = Some(self.waiting.since.get(&id).copied().unwrap_or_else(now));
        pending.definition = self.definition_of(run, id).cloned();
        Some(pending)
    }
}

/// The time since then. A clock that was set back says that none has passed.
pub(in crate::runner::drive) fn since(then: &SystemTime) -> Duration {
    now().duration_since(*then).unwrap_or_default()
}
