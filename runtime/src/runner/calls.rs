//! The calls of a run that are under way.

use std::{
    collections::BTreeMap,
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::{Stream, stream::FuturesUnordered};
use tokio::time::{Instant, Sleep, sleep};

use super::Inner;
use crate::{
    ToolError, Toolset,
    dispatch::{
        Admission, Executed, Handling, Running, Stop, Turn, Until, Waits, chance, decide,
        rate_limited,
    },
    run::{CallId, Run},
    tool::{BoxFuture, CallPlace, Decision, ToolContext},
};

/// The calls of a run that are under way: those that run, those that wait for a time, and those that
/// wait for an approval.
pub(super) struct Calls<'a> {
    inner: &'a Inner,
    /// The run's id, with which the keys of its calls begin.
    scope: Arc<str>,
    running: Running<CallId, BoxFuture<'static, Executed>>,
    waits: Waits<CallId>,
    approvals: FuturesUnordered<BoxFuture<'static, (CallId, Decision)>>,
    /// The calls that wait or have waited for their rate limit.
    admitted: BTreeMap<CallId, Turn>,
    stop: Stop,
    closing: Option<Closing>,
}

/// The run is cancelled.
enum Closing {
    /// What runs was told, and may go on until then.
    Grace(Pin<Box<Sleep>>),
    /// What runs is over.
    Over,
}

/// What happened to a call.
pub(super) enum Happened {
    /// An attempt has ended.
    Ended(CallId, Executed),
    /// It has waited for long enough.
    Waited(CallId),
    /// Somebody decided about it.
    Decided(CallId, Decision),
}

/// Whether the rate limit of a call lets it start.
pub(super) enum Admitted {
    Now,
    /// It waits.
    Later,
    Refused(ToolError),
}

impl<'a> Calls<'a> {
    pub(super) fn new(inner: &'a Inner, scope: &str) -> Self {
        Self {
            inner,
            scope: scope.into(),
            running: Running::new(),
            waits: Waits::new(),
            approvals: FuturesUnordered::new(),
            admitted: BTreeMap::new(),
            stop: Stop::new(),
            closing: None,
        }
    }

    /// Whether nothing will happen.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty() && self.waits.is_empty() && self.approvals.is_empty()
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// Asks the rate limit of a call that may start.
    pub(super) fn admit(&mut self, tools: &Toolset, run: &Run, id: CallId) -> Admitted {
        let (Some(policy), Some(call)) = (run.policy(id), run.call(id)) else {
            return Admitted::Now;
        };
        // A name that no tool has is not counted: models make them up.
        let limit = policy
            .rate_limit
            .filter(|_| tools.find(&call.name).is_some());
        let Some(limit) = limit.filter(|_| self.admitted.remove(&id).is_none()) else {
            return Admitted::Now;
        };
        match self.inner.calls.rate_limiter.admit(&call.name, limit) {
            Admission::Now => Admitted::Now,
            Admission::After(turn) => {
                self.waits.push(Instant::now() + turn.wait(), id);
                self.admitted.insert(id, turn);
                Admitted::Later
            }
            Admission::Refused { retry_after } => {
                Admitted::Refused(rate_limited(&call.name, retry_after))
            }
        }
    }

    /// Starts an attempt of a call that the run has just started.
    pub(super) fn start(&mut self, tools: &Toolset, run: &Run, id: CallId, cx: &ToolContext) {
        let (Some(call), Some(policy)) = (run.call(id).cloned(), run.policy(id).copied()) else {
            return;
        };
        let tool = tools.resolve(&call).map(Arc::clone);
        let cx = self.at(run, id, cx.for_call(&call.id));
        let timeout = policy.timeout.or(self.inner.tool_timeout);
        let until = Until::from_now(timeout, self.stop.clone());
        // It owns what it needs, since it lives while the run changes.
        let (leniency, finishing) = (
            self.inner.calls.leniency,
            self.inner.calls.finishing.clone(),
        );
        let work = async move {
            let handling = Handling {
                leniency,
                finishing: &finishing,
            };
            handling.run(tool, policy, &call, cx, until).await
        };
        self.running.push(id, Box::pin(work));
    }

    /// Asks whoever decides about a call.
    pub(super) fn ask(&mut self, run: &Run, id: CallId, cx: &ToolContext) {
        let (Some(call), Some(policy)) = (run.call(id).cloned(), run.policy(id)) else {
            return;
        };
        let cx = self.at(run, id, cx.for_call(&call.id));
        let asked = decide(self.inner.calls.approver.clone(), call, policy.effects, cx);
        self.approvals
            .push(Box::pin(async move { (id, asked.await) }));
    }

    /// Lets a call wait for its next attempt.
    pub(super) fn wait(&mut self, id: CallId, attempts: u32, hint: Option<std::time::Duration>) {
        let backoff = self.inner.calls.backoff;
        let wait = backoff.wait(attempts, hint, chance::fraction());
        self.waits.push(Instant::now() + wait, id);
    }

    /// The run is cancelled: nothing waits any more, and what runs has its grace.
    pub(super) fn close(&mut self) {
        self.waits.clear();
        self.admitted.clear();
        self.approvals.clear();
        let grace = self.inner.calls.grace;
        if grace.is_zero() {
            self.end_grace();
        } else {
            self.closing = Some(Closing::Grace(Box::pin(sleep(grace))));
        }
    }

    /// The next thing that happens to a call. Pending for ever if none is under way.
    pub(super) async fn next(&mut self) -> Happened {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Happened> {
        loop {
            if let Poll::Ready((id, outcome)) = self.running.poll_next(cx) {
                return Poll::Ready(Happened::Ended(id, outcome));
            }
            if let Poll::Ready(id) = self.waits.poll_next(cx) {
                return Poll::Ready(Happened::Waited(id));
            }
            let approvals = Pin::new(&mut self.approvals);
            if let Poll::Ready(Some((id, decision))) = approvals.poll_next(cx) {
                return Poll::Ready(Happened::Decided(id, decision));
            }
            let Some(Closing::Grace(timer)) = &mut self.closing else {
                return Poll::Pending;
            };
            if timer.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            self.end_grace();
        }
    }

    fn end_grace(&mut self) {
        self.closing = Some(Closing::Over);
        self.stop.say();
        self.running.wake_all();
    }

    fn at(&self, run: &Run, id: CallId, cx: ToolContext) -> ToolContext {
        let place = CallPlace {
            round: id.round,
            index: id.index,
            attempt: run.attempt(id),
        };
        cx.at(place, &self.scope)
    }
}
