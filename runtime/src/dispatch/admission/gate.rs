//! The gate that a call passes before each of its attempts.

use std::{
    collections::BTreeMap,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::time::Instant;

use super::{
    approval::{Approver, decide},
    call_rules::CallRules,
    rate_limit::{Admission, RateLimiter, Reservation, rate_limited},
    still_running::{Start, StillRunningSet},
};
use crate::dispatch::{CallSet, StillRunning, Timers, after};
use toolwright_core::{
    ToolError,
    run::Delay,
    tool::{ApprovalRequest, BoxFuture, Decision, ToolPolicy},
};

/// Holds back the calls of a batch or a run that may not start yet: they wait for an approval, for the end of work that
/// runs on, for their rate limit or for their next attempt. The order of the calls is decided elsewhere: by the schedule
/// of the batch, or by the run.
pub(crate) struct Gate<K> {
    waits: Timers<K>,
    /// Work that runs on although its call has ended; it counts only where a tool is to run alone.
    still_running: StillRunningSet<K>,
    approvals: CallSet<K, BoxFuture<'static, Decision>>,
    /// The checks of calls for which an approval is to be requested.
    checks: CallSet<K, BoxFuture<'static, Result<(), ToolError>>>,
    /// The calls that wait or have waited for their rate limit. Dropping a reservation releases it.
    reservations: BTreeMap<K, Reservation>,
    limiter: RateLimiter,
}

/// The answer of the gate to a call that wants to start.
pub(crate) enum Passage {
    /// It starts now.
    Open,
    /// It waits for this, and is [released](Gate::poll_next) then.
    Held(Delay),
    /// It does not start.
    Closed(ToolError),
}

/// A call that waits no longer.
pub(crate) enum Released<K> {
    /// It may try again.
    Waited(K),
    /// It was checked, and its approval is to be requested if it passed.
    Checked(K, Result<(), ToolError>),
    /// Somebody decided about it.
    Decided(K, Decision),
}

impl<K: Copy + Ord + Unpin> Gate<K> {
    pub(crate) fn new(limiter: RateLimiter) -> Self {
        Self {
            waits: Timers::new(),
            still_running: StillRunningSet::new(),
            approvals: CallSet::new(),
            checks: CallSet::new(),
            reservations: BTreeMap::new(),
            limiter,
        }
    }

    /// Takes another limiter for the calls that come next.
    pub(crate) fn follow(&mut self, limiter: RateLimiter) {
        self.limiter = limiter;
    }

    /// Returns true if no call is held.
    pub(crate) fn is_empty(&self) -> bool {
        self.only_asks() && self.approvals.is_empty()
    }

    /// Returns true if no call is held but by the question for its approval.
    pub(crate) fn only_asks(&self) -> bool {
        let nobody_waits = self.waits.is_empty() && self.still_running.hold_nobody();
        nobody_waits && self.checks.is_empty()
    }

    /// Checks a call before its approval is requested, and releases it with what was found.
    pub(crate) fn check(&mut self, key: K, check: BoxFuture<'static, Result<(), ToolError>>) {
        self.checks.push(key, check);
    }

    /// Asks an approver about a call, or a question of it. It is released with the decision.
    pub(crate) fn ask(
        &mut self,
        key: K,
        approver: Option<Arc<dyn Approver>>,
        request: ApprovalRequest,
    ) {
        let asked = decide(approver, request);
        self.approvals.push(key, Box::pin(asked));
    }

    /// Takes the question for an approval of a call back. It gives whether there was one.
    pub(crate) fn withdraw(&mut self, key: K) -> bool {
        self.approvals.remove(key)
    }

    /// Decides whether a call may start an attempt: first by what is left of earlier calls, then by the rate limit of
    /// its tool.
    pub(crate) fn admit(&mut self, key: K, name: &str, policy: &ToolPolicy) -> Passage {
        match self.still_running.admit(key, policy) {
            Start::Now => {}
            Start::Later => return Passage::Held(Delay::StillRunning),
            Start::Refused(error) => {
                self.reservations.remove(&key);
                return Passage::Closed(error);
            }
        }
        let Some(limit) = policy.rate_limit else {
            return Passage::Open;
        };
        let admission = match self.reservations.remove(&key) {
            Some(reservation) => reservation.start(),
            None => self.limiter.admit(name, limit),
        };
        match admission {
            Admission::Now => Passage::Open,
            Admission::After(reservation) => {
                self.wait(key, after(reservation.wait()));
                self.reservations.insert(key, reservation);
                Passage::Held(Delay::RateLimit)
            }
            Admission::Refused { retry_after } => Passage::Closed(rate_limited(name, retry_after)),
        }
    }

    /// Holds a call until then.
    pub(crate) fn wait(&mut self, key: K, until: Instant) {
        self.waits.push(until, key);
    }

    /// Takes work that runs on after its call has ended.
    pub(crate) fn keep(&mut self, left: StillRunning, rules: CallRules<'_>) {
        self.still_running.push(left, rules.policy, rules.timeout());
    }

    /// Lets go of the calls that wait: none of them starts any more.
    pub(crate) fn close(&mut self) {
        self.waits.clear();
        self.approvals.clear();
        self.checks.clear();
        self.reservations.clear();
    }

    /// The next call that waits no longer. Pending for ever while there is none.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Released<K>> {
        while let Poll::Ready(key) = self.waits.poll_next(cx) {
            // Calls before it may have started later than they might have. Those that have not asked do not block
            // others.
            let reservation = self.reservations.get(&key);
            match reservation.filter(|reservation| !reservation.may_start()) {
                Some(reservation) => self.waits.push(after(reservation.wait()), key),
                None => return Poll::Ready(Released::Waited(key)),
            }
        }
        if let Poll::Ready(key) = self.still_running.poll_next(cx) {
            return Poll::Ready(Released::Waited(key));
        }
        if let Poll::Ready((key, checked)) = self.checks.poll_next(cx) {
            return Poll::Ready(Released::Checked(key, checked));
        }
        let decided = self.approvals.poll_next(cx);
        decided.map(|(key, decision)| Released::Decided(key, decision))
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, time::Duration};

    use tokio::time::timeout;

    use super::*;
    use toolwright_core::tool::RateLimit;

    #[tokio::test(start_paused = true)]
    async fn a_call_that_nobody_polls_holds_up_no_other() {
        let policy = ToolPolicy::default().with_rate_limit(RateLimit::per_minute(1));
        let limiter = RateLimiter::new();
        let [mut first, mut unread, mut other] = [(); 3].map(|()| Gate::new(limiter.clone()));
        let from = Instant::now();
        assert!(matches!(first.admit(0, "tool", &policy), Passage::Open));
        for gate in [&mut unread, &mut other] {
            let passage = gate.admit(0, "tool", &policy);
            assert!(matches!(passage, Passage::Held(Delay::RateLimit)));
        }
        // Whoever reads the events of a batch may stop for as long as they like.
        for (gate, at) in [(&mut other, 120), (&mut unread, 180)] {
            let released = poll_fn(|cx| gate.poll_next(cx));
            let released = timeout(Duration::from_mins(10), released).await;
            assert!(matches!(released, Ok(Released::Waited(0))), "at {at}");
            assert!(matches!(gate.admit(0, "tool", &policy), Passage::Open));
            assert_eq!(from.elapsed().as_secs(), at);
        }
    }
}
