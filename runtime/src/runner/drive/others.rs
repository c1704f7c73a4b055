//! Waits for people and for the application, and hears what they say.

use std::{
    collections::BTreeSet,
    future::poll_fn,
    mem::take,
    pin::Pin,
    task::Poll,
    time::{Duration, SystemTime},
};

use super::Driver;
use crate::{
    dispatch::{Timer, after},
    runner::{begin::Resumed, calls::Calls},
    store::{InboxContent, InboxItem, RunStatus},
};
use toolwright_core::{
    Toolset,
    driver::millis::now,
    run::{CallId, Delay, PendingCall, Resolution, Signal, StoredRun},
    tool::{ToolDefinition, ToolResult},
};

impl<'a> Driver<'a> {
    /// Tells the run what is in its inbox. Without calls, nothing can be about one.
    pub(super) fn take_messages(&mut self, mut calls: Option<&mut Calls<'_>>) {
        // What is said to a run that was cancelled or is over came too late, and is told as unread.
        while !(self.cancelled || self.run.is_over())
            && let Some((place, item)) = self.inbox.0.take()
        {
            self.receive(calls.as_deref_mut(), place, item);
        }
    }

    /// A call begins to wait for somebody who speaks through the control of the run, or when it is resumed.
    pub(super) fn wait_for_others(&mut self, id: CallId) {
        self.begins_to_wait(id);
        self.expect(id);
    }

    /// A call begins to wait for somebody, whoever asks him.
    pub(super) fn begins_to_wait(&mut self, id: CallId) {
        self.waited.insert(id, now());
    }

    /// A call of this run waits; what a call of a run below waits for is heard there.
    pub(super) fn expect(&mut self, id: CallId) {
        let Some(pending) = self.pending_call(id) else {
            return;
        };
        self.inbox.0.expect(pending);
        if let Some(time) = self.run.config().pending_time {
            let waited = self.waited.get(&id).map_or(Duration::ZERO, since);
            let left = time.saturating_sub(waited);
            self.expiry.push(after(left), id);
        }
    }

    /// The time of a call that waits is over, unless somebody has just spoken.
    pub(super) fn expire(&mut self, id: CallId) {
        if self.inbox.0.expect_no_more(id) {
            self.signal(Signal::CallExpired(id));
        }
    }

    /// A call of this run that waits, as it is shown to those who decide about it.
    pub(super) fn pending_call(&self, id: CallId) -> Option<PendingCall> {
        let mut pending = self.run.pending_call(id)?;
        pending.since = Some(self.waited.get(&id).copied().unwrap_or_else(now));
        pending.definition = self.definition_of(id).cloned();
        Some(pending)
    }

    /// Tells the run what was said of a call.
    pub(super) fn resolve(&mut self, calls: &mut Calls<'_>, resolution: &Resolution) {
        let id = resolution.id();
        self.expiry.remove(id);
        // Nobody else is told that he was heard.
        self.inbox.0.expect_no_more(id);
        if let Some(decision) = resolution.decision() {
            self.decide(calls, id, decision.clone());
        }
        if let (Some(result), Some(policy)) = (resolution.answer(), self.run.policy(id)) {
            let outcome = result.outcome.clone();
            let outcome = self.agent().calls.output.answer(policy, outcome);
            self.signal(Signal::CallAnswered(id, ToolResult::of("", outcome)));
        }
    }

    /// Goes on where a stored run stopped.
    pub(super) fn go_on(&mut self, calls: &mut Calls<'a>, resumed: Resumed) {
        calls.follow(self.agent());
        self.tools = self.tools_of_round();
        self.waited = resumed.waited;
        self.changed = resumed.changed;
        self.model_waited = resumed.model_delayed.as_ref().map_or(Duration::ZERO, since);
        if self.keeper.is_some() {
            let suspended = resumed.found == RunStatus::Suspended;
            self.signal(Signal::Resumed { suspended });
        }
        self.signal(Signal::Interrupted);
        self.revoke_approvals();
        for resolution in resumed.resolved {
            let item = InboxItem::new(InboxContent::Resolution(resolution));
            self.receive(Some(calls), None, item);
        }
        for received in resumed.received {
            self.receive(Some(calls), Some(received.place), received.item);
        }
        self.ask_anew(&resumed.expired);
        let delayed: Vec<_> = self
            .run
            .delayed()
            .map(|(id, why)| (id, why.clone()))
            .collect();
        for (id, why) in delayed {
            match why {
                Delay::Approval | Delay::External if resumed.expired.contains(&id) => {
                    self.signal(Signal::CallExpired(id));
                }
                Delay::Approval if self.approver().is_some() => {
                    self.waited.entry(id).or_insert_with(now);
                    let approver = self.approver().cloned();
                    calls.ask(&self.run, id, &self.context_of(id), approver);
                }
                Delay::Approval | Delay::External => {
                    self.waited.entry(id).or_insert_with(now);
                    self.expect(id);
                }
                Delay::Retry { error } => {
                    let waited = resumed.retried.get(&id).map_or(Duration::ZERO, since);
                    calls.wait(id, self.run.attempt(id), error.retry_after, waited);
                }
                Delay::RateLimit | Delay::StillRunning => self.signal(Signal::CallResumed(id)),
                Delay::Below { .. } => self.go_on_below(id),
            }
        }
    }

    /// Takes the questions for approvals back whose tool has changed since: they are asked anew, and whoever has decided of
    /// the tool before has not decided of this one.
    fn ask_anew(&mut self, expired: &BTreeSet<CallId>) {
        let changed = take(&mut self.changed);
        let is_asked = |(id, why): (CallId, &Delay)| {
            let is_it = *why == Delay::Approval && changed.contains(&id) && !expired.contains(&id);
            is_it.then_some(id)
        };
        let asked: Vec<_> = self.run.delayed().filter_map(is_asked).collect();
        for id in asked {
            self.signal(Signal::ApprovalRevoked(id));
        }
    }

    /// An approval holds for the tool that was approved. One that is not there any more runs as an unknown tool, which
    /// does nothing.
    fn revoke_approvals(&mut self) {
        let is_another = |(id, approved): (CallId, Option<&ToolDefinition>)| {
            let tool = self.definition_of(id)?;
            let is_it = approved.is_some_and(|approved| tool.says_as(approved));
            (!is_it).then_some(id)
        };
        let others: Vec<_> = self.run.approvals().filter_map(is_another).collect();
        for id in others {
            self.signal(Signal::ApprovalRevoked(id));
        }
    }

    /// The tools of a round that goes on: those that its request offered. One that was not there when the call was recorded,
    /// or did not need an approval or the application then and does now, was another tool: it is not there.
    fn tools_of_round(&mut self) -> Toolset {
        // What the next request fails by is told then.
        let offered = self.offered().map(|offered| offered.tools);
        let tools = offered.unwrap_or_else(|_| self.inner.tools_of(&self.run));
        let approvals = self.agent().calls.approvals;
        let is_another = |id: &CallId| {
            let (call, then) = (self.run.call(*id)?, self.run.policy(*id)?);
            let now = tools.policy(&call.name);
            let asks = approvals.asks(&now) && !then.approval;
            let is_new = then.unknown || asks || now.external && !then.external;
            is_new.then(|| call.name.clone())
        };
        let calls = self.run.calls_under_way();
        let others: BTreeSet<_> = calls.iter().filter_map(is_another).collect();
        tools.filtered(|tool, _| !others.contains(&*tool.name))
    }

    /// Returns true if the run is to be suspended: nobody else has anything to do, and nobody has said anything for as
    /// long as is waited.
    pub(super) async fn is_suspended(&mut self, calls: &mut Calls<'_>) -> bool {
        // Whoever reads the events may decide at once.
        if !self.settled().await {
            return false;
        }
        // Somebody may have spoken to a run below, which goes on.
        if self.run.waiting_for_others().is_empty() {
            return false;
        }
        let wait = self.inner.suspend_after.unwrap_or(Duration::ZERO);
        let end = (!wait.is_zero()).then(|| after(wait));
        let (mut timer, mut cancelled) = (Timer::default(), self.cancellation.cancelled());
        let (time, expiry, inbox) = (&mut self.time, &mut self.expiry, &self.inbox.0);
        let mut expired = None;
        let is_over = poll_fn(|cx| {
            let is_called = inbox.poll_filled(cx).is_ready()
                || Pin::new(&mut cancelled).poll(cx).is_ready()
                || time.poll_up(cx).is_ready();
            match end {
                _ if is_called => Poll::Ready(false),
                None => Poll::Ready(true),
                Some(end) => {
                    if let Poll::Ready(id) = expiry.poll_next(cx) {
                        expired = Some(id);
                        return Poll::Ready(false);
                    }
                    timer.poll_at(end, cx).map(|()| true)
                }
            }
        });
        let is_over = is_over.await;
        if let Some(id) = expired {
            // What was said in time is heard first.
            self.listen(calls).await;
            self.expire(id);
        }
        // Whoever speaks from here on is told that it is too late.
        is_over && self.inbox.0.close_if_silent()
    }

    /// The run, as it is suspended.
    pub(super) fn stored(&mut self) -> StoredRun {
        if let Some(time) = self.time.used() {
            self.signal(Signal::TimeUsed(time));
        }
        let log = self.log.take().unwrap_or_default();
        StoredRun::suspended(log, self.pending_calls())
    }

    /// The calls that wait for people or for the application, and those of suspended runs below.
    pub(super) fn pending_calls(&self) -> Vec<PendingCall> {
        let own = self.run.delayed();
        let own = own.filter_map(|(id, _)| self.pending_call(id));
        own.chain(self.below.calls().cloned()).collect()
    }
}

/// The time since then. A clock that was set back says that none has passed.
fn since(then: &SystemTime) -> Duration {
    now().duration_since(*then).unwrap_or_default()
}
