//! The calls of a run that are under way.

use std::{
    collections::BTreeMap,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use super::{
    Inner,
    call_requests::{CallRequests, Checkpoint},
};
use crate::{
    Approver,
    dispatch::{
        AttemptEnd, AttemptStart, CallRules, Ending, Gate, Passage, Released, RunningCalls, Time,
        after, clock,
    },
};
use toolwright_core::{
    Leniency, ToolError, Toolset,
    driver::{CallPlace, ContextParts, caught},
    run::{CallId, Run, Signal},
    tool::{ApprovalRequest, BoxFuture, Decision, Effects, ToolContext},
};

/// The calls of a run that are under way: those that run, and those that wait before they may start.
pub(super) struct Calls<'a> {
    inner: &'a Inner,
    running: RunningCalls<CallId, Work>,
    /// Those that start when the store has the records of that.
    held: Vec<(CallId, Work)>,
    /// What those that run have the driver do.
    requests: CallRequests,
    gate: Gate<CallId>,
    /// The last call whose arguments were looked at. Calls come in their order.
    prepared: Option<CallId>,
    /// The calls that are or were checked before their approval is requested, and whether the check has ended.
    checked: BTreeMap<CallId, bool>,
    /// The time that running calls have to end when they are to stop.
    grace: Duration,
    /// The run is cancelled, or its time is up.
    is_closing: bool,
}

type Work = BoxFuture<'static, AttemptEnd>;

/// An event of a call.
pub(super) enum Happened {
    /// An attempt has ended.
    Ended(CallId, AttemptEnd),
    /// It has come so far, and waits until that is recorded.
    Checkpoint(Checkpoint),
    /// It waits no longer.
    Released(Released<CallId>),
}

impl<'a> Calls<'a> {
    /// No calls yet. They have this time to end when they are to stop.
    pub(super) fn new(inner: &'a Inner, grace: Duration) -> Self {
        Self {
            inner,
            running: RunningCalls::new(Ending::new(None, grace)),
            held: Vec::new(),
            requests: CallRequests::new(),
            gate: Gate::new(inner.rate_limiter.clone()),
            prepared: None,
            checked: BTreeMap::new(),
            grace,
            is_closing: false,
        }
    }

    /// Takes the settings of the agent whose calls come next. No call of the agent before is under way any more.
    pub(super) fn follow(&mut self, agent: &'a Inner) {
        if !std::ptr::eq(self.inner, agent) {
            self.inner = agent;
            self.gate.follow(agent.rate_limiter.clone());
        }
    }

    /// Returns true if there is nothing to wait for.
    pub(super) fn is_idle(&self) -> bool {
        self.gate.is_empty() && self.have_ended()
    }

    /// Returns true if no call runs, and the end of none is still to be heard.
    fn have_ended(&self) -> bool {
        self.running.is_empty() && self.held.is_empty()
    }

    /// Returns true if calls wait for nothing but people, also those that run: they do so below.
    pub(super) fn wait_for_people(&self, below: impl Fn(CallId) -> bool) -> bool {
        let only_asks = self.gate.only_asks() && self.held.is_empty();
        !self.is_closing && only_asks && self.running.keys().all(below)
    }

    pub(super) fn is_closing(&self) -> bool {
        self.is_closing
    }

    /// Returns true if no call runs any more, and none starts any more.
    pub(super) fn are_over(&self) -> bool {
        self.is_closing && self.have_ended()
    }

    /// The rules of a call that is under way.
    fn rules<'r>(&self, tools: &'r Toolset, run: &'r Run, id: CallId) -> Option<CallRules<'r>>
    where
        'a: 'r,
    {
        let call = run.call(id)?;
        Some(CallRules {
            call,
            tool: tools.find(&call.name),
            policy: run.policy(id)?,
            options: &self.inner.calls,
        })
    }

    /// Sets the arguments of a call right that comes up for the first time: once for all of its attempts,
    /// and before anybody approves them. It gives what to tell the run.
    pub(super) fn prepare(&mut self, tools: &Toolset, run: &Run, id: CallId) -> Option<Signal> {
        if self.inner.calls.leniency == Leniency::Off
            || self.prepared.is_some_and(|last| id <= last)
        {
            return None;
        }
        self.prepared = Some(id);
        let (prepared, changes) = self.rules(tools, run, id)?.prepare()?;
        Some(Signal::CallPrepared {
            call: id,
            arguments: prepared.arguments,
            changes,
        })
    }

    /// Checks that the arguments of a call fit. If they do not, no approval is requested.
    pub(super) fn check(&self, tools: &Toolset, run: &Run, id: CallId) -> Result<(), ToolError> {
        let rules = self.rules(tools, run, id);
        rules.map_or(Ok(()), |rules| rules.check())
    }

    /// Returns true if the approval of a call may be requested. Before the first request the middleware of its tool checks
    /// it, which takes its time.
    pub(super) fn is_checked(
        &mut self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        cx: &ToolContext,
    ) -> bool {
        if let Some(has_ended) = self.checked.get(&id) {
            return *has_ended;
        }
        let check = self.rules(tools, run, id).and_then(|rules| {
            let parts = parts_of(run, id, cx);
            rules.check_first(parts.into_context(&rules.call.id, cx.deadline(), clock))
        });
        let has_ended = check.is_none();
        self.checked.insert(id, has_ended);
        if let Some(check) = check {
            self.gate.check(id, check);
        }
        has_ended
    }

    /// Takes what a check of a call has found. It gives what to tell the run.
    pub(super) fn checked(
        &mut self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        found: Result<(), ToolError>,
    ) -> Option<Signal> {
        self.checked.insert(id, true);
        let error = found.err()?;
        let rules = self.rules(tools, run, id)?;
        Some(Signal::CallRefused(id, rules.refused(error)))
    }

    /// Returns a decision in the form in which the run records it.
    pub(super) fn decided(
        &mut self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        decision: Decision,
    ) -> Decision {
        match self.rules(tools, run, id) {
            // Whether its arguments fit is looked at when it starts, also after a crash.
            Some(rules) => rules.decided(decision).0,
            None => decision,
        }
    }

    /// Asks the gate whether a call may start that its run lets start.
    pub(super) fn admit(&mut self, tools: &Toolset, run: &Run, id: CallId) -> Passage {
        let Some(rules) = self.rules(tools, run, id) else {
            return Passage::Open;
        };
        let is_first = run.attempt(id) == 0;
        if is_first
            && run.is_edited(id)
            && let Some(error) = rules.misfit()
        {
            return Passage::Closed(error);
        }
        let mut policy = *rules.policy;
        // A name that no tool has is not counted: models make them up.
        if rules.tool.is_none() || run.goes_on(id) {
            policy.rate_limit = None;
        }
        self.gate.admit(id, &rules.call.name, &policy)
    }

    /// Starts an attempt of a call that the run has just started. With the context comes whether the call may ask a person, and
    /// the error is that of the attempt before.
    pub(super) fn start(
        &mut self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        cx: (&ToolContext, bool),
        failed: Option<Box<ToolError>>,
    ) {
        if let Some(work) = self.attempt(tools, run, id, cx, failed) {
            self.running.push(id, work);
        }
    }

    /// As [`start`](Self::start), of a run that is kept in a store. An attempt that changes something starts when what
    /// is recorded is written, and one that only reads may start before: it gives whether this one may.
    pub(super) fn start_kept(
        &mut self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        cx: (&ToolContext, bool),
        failed: Option<Box<ToolError>>,
    ) -> bool {
        let Some(work) = self.attempt(tools, run, id, cx, failed) else {
            return false;
        };
        // By the log, and by the tool of today.
        let policies = [
            run.policy(id).copied(),
            run.call(id).map(|call| tools.policy(&call.name)),
        ];
        let reads = (policies.iter().flatten()).all(|policy| policy.effects == Effects::ReadOnly);
        if reads {
            self.running.push(id, work);
        } else {
            self.held.push((id, work));
        }
        reads
    }

    /// What is recorded is written: the attempts start that wait for that.
    pub(super) fn written(&mut self) {
        for (id, work) in self.held.drain(..) {
            self.running.push(id, work);
        }
    }

    /// Lets calls run while something is written. Their ends are handled after that.
    pub(super) fn poll_beside(&mut self, cx: &mut Context<'_>) {
        self.running.poll(cx);
    }

    fn attempt(
        &self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        (cx, may_ask): (&ToolContext, bool),
        failed: Option<Box<ToolError>>,
    ) -> Option<Work> {
        let ((calls, index), policy) = (run.shared_calls(id)?, run.policy(id).copied()?);
        // The definitions of tools are their own code.
        let tool = caught(|| tools.resolve(&calls[index]).cloned()).ok();
        let panicked = || Err(ToolError::internal("the definition of a tool panicked"));
        let tool = tool.unwrap_or_else(panicked);
        let tool = tool.map_err(|error| Box::new(run.refused(id, error)));
        let timeout = self.rules(tools, run, id)?.timeout();
        let (driver, asked) = self.requests.of_attempt(run, id, may_ask);
        let start = AttemptStart {
            cx: parts_of(run, id, cx).driven_by(Some(driver)),
            time: Time::new(timeout, self.running.ending()),
            failed,
            asks: None,
        };
        // It owns what it needs, since it lives while the run changes.
        let output = self.inner.calls.output.clone();
        let work = async move {
            // That it starts is written or read before this is polled, unless it only reads.
            let tool = tool.as_ref().map_err(Box::clone);
            let attempt = output.run(tool, &policy, &calls[index], None, start);
            asked.or_end(attempt).await
        };
        Some(Box::pin(work))
    }

    /// Asks whoever decides about a call, or answers its question.
    pub(super) fn ask(
        &mut self,
        run: &Run,
        id: CallId,
        cx: &ToolContext,
        approver: Option<Arc<dyn Approver>>,
    ) {
        let (Some(call), Some(policy)) = (run.call(id).cloned(), run.policy(id)) else {
            return;
        };
        let cx = parts_of(run, id, cx).into_context(&call.id, cx.deadline(), clock);
        let mut request = ApprovalRequest::new(call, policy.effects).with_context(cx);
        if let Some(pending) = run.pending_call(id) {
            request.question = pending.question;
            request.question_key = pending.question_key;
        }
        self.gate.ask(id, approver, request);
    }

    /// Takes the question about a call back, if an approver is still asked: it gives whether one was.
    pub(super) fn withdraw(&mut self, id: CallId) -> bool {
        self.gate.withdraw(id)
    }

    /// Keeps what is left of an attempt that has ended.
    pub(super) fn keep_still_running(
        &mut self,
        tools: &Toolset,
        run: &Run,
        id: CallId,
        end: &mut AttemptEnd,
    ) {
        if let (Some(left), Some(rules)) = (end.still_running.take(), self.rules(tools, run, id))
            && tools.has_sequential()
        {
            self.gate.keep(left, rules);
        }
    }

    /// Lets a call wait for its next attempt, which has waited for so long already.
    pub(super) fn wait(
        &mut self,
        id: CallId,
        attempts: u32,
        hint: Option<Duration>,
        waited: Duration,
    ) {
        let time = self.inner.calls.retry_wait(attempts, hint);
        self.gate.wait(id, after(time.saturating_sub(waited)));
    }

    /// The run is to stop: nothing waits any more, and what runs has its grace.
    pub(super) fn close(&mut self) {
        self.is_closing = true;
        self.gate.close();
        self.running.give_grace(self.grace);
    }

    /// The next thing that happens to a call. Pending for ever if none is under way.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Happened> {
        loop {
            if let Poll::Ready((id, end)) = self.running.poll_next(cx) {
                return Poll::Ready(Happened::Ended(id, end));
            }
            if let Poll::Ready(released) = self.gate.poll_next(cx) {
                return Poll::Ready(Happened::Released(released));
            }
            // Calls that were polled just now may have made one.
            if let Poll::Ready(request) = self.requests.poll_next(cx) {
                return Poll::Ready(Happened::Checkpoint(request));
            }
            if self.running.is_empty() {
                return Poll::Pending;
            }
            ready!(self.running.poll_grace(cx));
        }
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
