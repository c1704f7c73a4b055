//! The calls of a run that are under way.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    future::poll_fn,
    task::{Context, Poll, ready},
};

use tokio::time::Instant;

use super::Inner;
use crate::{
    Leniency, ToolError, Toolset,
    dispatch::{
        AbortSignal, Admission, AttemptEnd, PollSet, Reservation, Start, StillRunningSet, Time,
        Timer, Timers, after, check, decide, misfit, rate_limited,
    },
    panics::{Contained, guarded},
    random,
    run::{CallId, Delay, Run, Signal},
    tool::{BoxFuture, CallPlace, ContextParts, Decision, ToolCall, ToolContext},
};

/// The calls of a run that are under way: those that run, those that wait for a time, and those that
/// wait for an approval.
pub(super) struct Calls<'a> {
    inner: &'a Inner,
    running: PollSet<CallId, BoxFuture<'static, AttemptEnd>>,
    waits: Timers<CallId>,
    /// The work that still runs although its call has ended; it counts only where a tool is to run alone.
    still_running: StillRunningSet<CallId>,
    approvals: PollSet<CallId, BoxFuture<'static, Decision>>,
    /// The calls that wait or have waited for their rate limit.
    admitted: BTreeMap<CallId, Reservation>,
    /// The last call whose arguments were looked at. Calls come in their order.
    prepared: Option<CallId>,
    /// The calls that were approved with arguments that do not fit, and their errors.
    misfits: BTreeMap<CallId, ToolError>,
    stop: AbortSignal,
    closing: Option<Closing>,
    timer: Timer,
}

/// The run is cancelled, or its time is up.
enum Closing {
    /// The running calls were told to stop. Their grace begins at the next poll: the reader has read of the
    /// cancel by then.
    StrictFacts,
    /// The running calls may go on until then.
    Grace(Instant),
    /// The running calls are over.
    Over,
}

/// An event of a call.
pub(super) enum Happened {
    /// An attempt has ended.
    Ended(CallId, AttemptEnd),
    /// It has waited for long enough.
    Waited(CallId),
    /// Somebody decided about it.
    Decided(CallId, Decision),
}

/// The answer to a call that wants to start.
pub(super) enum Admitted {
    Now,
    /// It waits for this.
    Later(Delay),
    Refused(ToolError),
}

impl<'a> Calls<'a> {
    pub(super) fn new(inner: &'a Inner) -> Self {
        Self {
            inner,
            running: PollSet::new(),
            waits: Timers::new(),
            approvals: PollSet::new(),
            still_running: StillRunningSet::new(),
            admitted: BTreeMap::new(),
            prepared: None,
            misfits: BTreeMap::new(),
            stop: AbortSignal::new(None, inner.calls.grace),
            closing: None,
            timer: Timer::default(),
        }
    }

    /// Returns true if there is nothing to wait for.
    pub(super) fn is_idle(&self) -> bool {
        let nobody_waits = self.waits.is_empty() && self.still_running.hold_nobody();
        nobody_waits && self.running.is_empty() && self.approvals.is_empty()
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// Returns true if no call runs any more, and none starts any more.
    pub(super) fn are_over(&self) -> bool {
        self.is_closing() && self.running.is_empty()
    }

    /// Sets the arguments of a call right that comes up for the first time: once for all of its attempts,
    /// and before anybody approves them. It gives what to tell the run.
    pub(super) fn prepare(&mut self, tools: &Toolset, run: &Run, id: CallId) -> Option<Signal> {
        let leniency = self.inner.calls.leniency;
        if leniency == Leniency::Off || self.prepared.is_some_and(|last| id <= last) {
            return None;
        }
        self.prepared = Some(id);
        let (call, policy) = (run.call(id)?, run.policy(id)?);
        let tool = tools.find(&call.name)?;
        // A definition is the tool's own code, which may panic: the call says so when it runs.
        let prepare = || leniency.prepare(call, tool.definition(), policy.effects);
        let prepared = guarded(prepare)?;
        match prepared.call {
            Cow::Borrowed(_) => None,
            Cow::Owned(ToolCall { arguments, .. }) => Some(Signal::CallPrepared {
                call: id,
                arguments,
                changes: prepared.changes,
            }),
        }
    }

    /// Checks that the arguments of a call fit. If they do not, nobody is asked to approve the call.
    pub(super) fn check(&self, tools: &Toolset, run: &Run, id: CallId) -> Result<(), ToolError> {
        let (Some(call), Some(policy)) = (run.call(id), run.policy(id)) else {
            return Ok(());
        };
        let checked = check(tools.find(&call.name), call);
        checked.map_err(|error| self.inner.calls.output.error(policy, error))
    }

    /// A decision, as the run is told of it.
    pub(super) fn decided(
        &mut self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        decision: Decision,
    ) -> Decision {
        let (Some(call), Some(policy)) = (run.call(id), run.policy(id)) else {
            return decision;
        };
        let output = &self.inner.calls.output;
        match decision {
            Decision::Deny { reason } => Decision::deny(output.reason(policy, reason)),
            Decision::ApproveWith { arguments } => {
                let edited = ToolCall::new(&call.id, &call.name, arguments);
                if let Err(error) = check(tools.find(&call.name), &edited) {
                    let error = output.error(policy, misfit(&error));
                    self.misfits.insert(id, error);
                }
                Decision::approve_with(edited.arguments)
            }
            Decision::Approve => decision,
        }
    }

    /// Asks what is left of earlier calls, and the rate limit of a call that may start.
    pub(super) fn admit(&mut self, tools: &Toolset, run: &Run, id: CallId) -> Admitted {
        if let Some(error) = self.misfits.remove(&id) {
            return Admitted::Refused(error);
        }
        let (Some(policy), Some(call)) = (run.policy(id), run.call(id)) else {
            return Admitted::Now;
        };
        match self.still_running.admit(id, policy) {
            Start::Now => {}
            Start::Later => return Admitted::Later(Delay::StillRunning),
            Start::Refused(error) => return Admitted::Refused(error),
        }
        // A name that no tool has is not counted: models make them up.
        let limit = policy
            .rate_limit
            .filter(|_| tools.find(&call.name).is_some());
        let Some(limit) = limit else {
            return Admitted::Now;
        };
        let admission = match self.admitted.remove(&id) {
            Some(turn) => turn.start(),
            None => self.inner.rate_limiter.admit(&call.name, limit),
        };
        match admission {
            Admission::Now => Admitted::Now,
            Admission::After(turn) => {
                self.waits.push(after(turn.wait()), id);
                self.admitted.insert(id, turn);
                Admitted::Later(Delay::RateLimit)
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
        // The definitions of tools are their own code.
        let tool = guarded(|| tools.resolve(&call).cloned().map(Contained::new));
        let failed = || Err(ToolError::internal("the definition of a tool panicked"));
        let tool = tool.unwrap_or_else(failed).map_err(Box::new);
        let timeout = policy.timeout.or(self.inner.calls.timeout);
        let (time, parts) = (Time::new(timeout, &self.stop), parts_of(run, id, cx));
        // It owns what it needs, since it lives while the run changes.
        let output = self.inner.calls.output.clone();
        let work = async move {
            // The reader has read that it starts before this is polled.
            let deadline = time.begin();
            let cx = parts.with_deadline(deadline.at()).into_context(&call.id);
            let tool = tool.as_deref().map_err(Box::clone);
            output.run(tool, &policy, &call, &cx, &deadline).await
        };
        self.running.push(id, Box::pin(work));
    }

    /// Asks whoever decides about a call.
    pub(super) fn ask(&mut self, run: &Run, id: CallId, cx: &ToolContext) {
        let (Some(call), Some(policy)) = (run.call(id).cloned(), run.policy(id)) else {
            return;
        };
        let cx = parts_of(run, id, cx).into_context(&call.id);
        let asked = decide(self.inner.calls.approver.clone(), call, policy.effects, cx);
        self.approvals.push(id, Box::pin(asked));
    }

    /// Keeps what is left of an attempt that has ended.
    pub(super) fn keep_still_running(
        &mut self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        end: &mut AttemptEnd,
    ) {
        if let (Some(left), Some(policy)) = (end.still_running.take(), run.policy(id))
            && tools.has_sequential()
        {
            let limit = policy.timeout.or(self.inner.calls.timeout);
            self.still_running.push(left, policy, limit);
        }
    }

    /// Lets a call wait for its next attempt.
    pub(super) fn wait(&mut self, id: CallId, attempts: u32, hint: Option<std::time::Duration>) {
        let backoff = self.inner.calls.backoff;
        let wait = backoff.wait(attempts, hint, random::fraction());
        self.waits.push(after(wait), id);
    }

    /// The run is to stop: nothing waits any more, and what runs has its grace.
    pub(super) fn close(&mut self) {
        self.waits.clear();
        self.admitted.clear();
        self.approvals.clear();
        let grace = self.inner.calls.grace;
        if grace.is_zero() {
            self.end_grace();
        } else {
            self.closing = Some(Closing::StrictFacts);
        }
    }

    /// The next thing that happens to a call. Pending for ever if none is under way.
    pub(super) async fn next(&mut self) -> Happened {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// The next thing that happens to a call, as [`next`](Self::next) gives it.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Happened> {
        loop {
            if let Poll::Ready((id, outcome)) = self.running.poll_next(cx) {
                return Poll::Ready(Happened::Ended(id, outcome));
            }
            if let Poll::Ready(id) = self.waits.poll_next(cx) {
                // Calls before it may have started later than they might have.
                let turn = self.admitted.get(&id).map(Reservation::wait);
                match turn.filter(|wait| !wait.is_zero()) {
                    Some(wait) => self.waits.push(after(wait), id),
                    None => return Poll::Ready(Happened::Waited(id)),
                }
                continue;
            }
            if let Poll::Ready(id) = self.still_running.poll_next(cx) {
                return Poll::Ready(Happened::Waited(id));
            }
            if let Poll::Ready((id, decision)) = self.approvals.poll_next(cx) {
                return Poll::Ready(Happened::Decided(id, decision));
            }
            if self.running.is_empty() {
                return Poll::Pending;
            }
            let end = match self.closing {
                Some(Closing::StrictFacts) => {
                    let end = after(self.inner.calls.grace);
                    self.closing = Some(Closing::Grace(end));
                    end
                }
                Some(Closing::Grace(end)) => end,
                Some(Closing::Over) | None => return Poll::Pending,
            };
            ready!(self.timer.poll_at(end, cx).map(|()| self.end_grace()));
        }
    }

    fn end_grace(&mut self) {
        self.closing = Some(Closing::Over);
        self.stop.abort();
        self.running.wake_all();
    }
}

fn parts_of(run: &Run, id: CallId, cx: &ToolContext) -> ContextParts {
    let place = CallPlace {
        round: id.round,
        index: id.index,
        attempt: run.attempt(id),
    };
    cx.parts_for_call().at(place)
}
