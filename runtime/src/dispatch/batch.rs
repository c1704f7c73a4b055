//! Executes a batch of calls in parallel.

mod admit;
mod ready;
mod tools;

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    task::unconstrained,
    time::{Instant, Sleep, sleep, sleep_until},
};

use super::{
    DispatchOptions, chance,
    event::{DispatchEvent, Unread},
    execute::Outcome,
    executed::Executed,
    leftovers::Leftovers,
    rate::{RateLimiter, Turn},
    running::Running,
    until::{Stop, Until},
    waits::{Waits, after},
};
use crate::{
    Schedule, ToolError,
    conversation::not_executed,
    run::Delay,
    tool::{BoxFuture, Cancelled, Decision, Tool, ToolCall, ToolContext, ToolPolicy, ToolResult},
};
pub(crate) use admit::rate_limited;
use ready::Ready;
pub(super) use tools::Tools;

/// A batch of calls that is under way: it starts calls as its schedule allows, and says what happens.
///
/// The calls are polled in place, within the caller's task. Nothing outlives the batch but what holds
/// a thread: a function that blocks, until it returns, and a task that computes, until its next `await`.
/// `F` is the work of an attempt, and `S` starts one.
pub(super) struct Batch<'a, S, F> {
    calls: &'a [ToolCall],
    options: &'a DispatchOptions,
    tools: Tools,
    start: S,
    schedule: Schedule,
    running: Running<usize, F>,
    waits: Waits<usize>,
    /// What runs on although its call has ended; it counts only where a tool is to run alone.
    leftovers: Leftovers<usize>,
    has_sequential: bool,
    approvals: Running<usize, BoxFuture<'static, Decision>>,
    /// The calls that somebody approved or whose arguments were set right, and what they run with.
    ready: BTreeMap<usize, Ready>,
    /// How the last attempt of a call failed that waits for the next.
    failed: BTreeMap<usize, ToolError>,
    /// The calls that wait or have waited for their rate limit, and their turns: one that was given up
    /// is free again.
    admitted: BTreeMap<usize, Turn>,
    limiter: RateLimiter,
    /// What the contexts of the calls are made of.
    context: ToolContext,
    deadline: Option<(Instant, Duration)>,
    timer: Option<Pin<Box<Sleep>>>,
    cancelled: Cancelled,
    phase: Phase,
    stop: Stop,
    /// What happened and was not read; `None` if nobody reads more than the results.
    unread: Option<Unread>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Calls may start.
    Open,
    /// None starts any more, for this reason. Those that run were told to stop, or stop themselves.
    Closing(&'static str),
}

/// Why a call does not start after the deadline.
const LATE: &str = "the time for the calls of this reply was over";

/// What an attempt is started with.
pub(super) struct Attempt {
    pub(super) index: usize,
    /// The tool that the call names, if there is one.
    pub(super) tool: Option<Arc<dyn Tool>>,
    /// The call with the arguments that it runs with, if these are not the model's.
    pub(super) edited: Option<Arc<ToolCall>>,
    pub(super) policy: ToolPolicy,
    pub(super) cx: ToolContext,
    pub(super) until: Until,
}

impl<'a, S, F> Batch<'a, S, F>
where
    S: Fn(Attempt) -> F,
    F: Future<Output = Executed>,
{
    pub(super) fn new(
        calls: &'a [ToolCall],
        options: &'a DispatchOptions,
        tools: Tools,
        start: S,
    ) -> Self {
        let any = tools.has_sequential();
        let sequential = calls.iter().map(|call| any && tools.of(call).1.sequential);
        let deadline = options.end();
        Self {
            schedule: Schedule::new(options.concurrency, sequential),
            calls,
            options,
            limiter: options
                .rate_limiter
                .clone()
                .unwrap_or_else(|| tools.limiter()),
            tools,
            start,
            running: Running::new(),
            waits: Waits::new(),
            approvals: Running::new(),
            leftovers: Leftovers::new(),
            has_sequential: any,
            ready: BTreeMap::new(),
            failed: BTreeMap::new(),
            admitted: BTreeMap::new(),
            context: options.context.for_batch(&options.scope()),
            timer: deadline.map(|(at, _)| Box::pin(sleep_until(at))),
            deadline,
            cancelled: options.context.cancellation().cancelled(),
            phase: Phase::Open,
            stop: Stop::new(deadline, options.grace),
            unread: None,
        }
    }

    /// Makes it say more than the results.
    pub(super) fn with_events(mut self) -> Self {
        self.unread = Some(Unread::default());
        self
    }

    /// The next thing that happens: with [events](Self::with_events) every one, else only that a call
    /// has finished. `None` when every call has.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<DispatchEvent>> {
        loop {
            if let Some(event) = self.unread.as_mut().and_then(Unread::pop) {
                return Poll::Ready(Some(event));
            }
            if self.schedule.is_finished() {
                return Poll::Ready(None);
            }
            match self.phase {
                Phase::Open if self.options.context.is_cancelled() => {
                    self.close("the batch was cancelled");
                    // Without a grace, what runs has one more look at its token.
                    self.timer = None;
                    match self.options.grace {
                        Duration::ZERO => self.stop_running(),
                        grace => self.timer = Some(Box::pin(sleep(grace))),
                    }
                    continue;
                }
                Phase::Open => {
                    if let Some(index) = self.schedule.next() {
                        // What runs may hear of the end before the timer is asked.
                        if self.is_late() {
                            self.close(LATE);
                            continue;
                        }
                        if let Some(event) = self.admit(index) {
                            return Poll::Ready(Some(event));
                        }
                        continue;
                    }
                }
                Phase::Closing(why) => {
                    if let Some(index) = self.schedule.first_not_running() {
                        let failed = self.failed.remove(&index);
                        let error = failed.unwrap_or_else(|| not_executed(why));
                        return Poll::Ready(Some(self.finish(index, Err(error))));
                    }
                }
            }
            if let Poll::Ready((index, mut executed)) = self.running.poll_next(cx) {
                self.keep_leftover(index, &mut executed);
                if let Some(event) = self.attempt_ended(index, executed.outcome) {
                    return Poll::Ready(Some(event));
                }
                continue;
            }
            if let Poll::Ready(index) = self.waits.poll_next(cx) {
                // Calls before it may have started later than they might have.
                let turn = self.admitted.get(&index).map(Turn::wait);
                match turn.filter(|wait| !wait.is_zero()) {
                    Some(wait) => self.wait(index, wait),
                    None => self.schedule.resume(index),
                }
                continue;
            }
            if let Poll::Ready(index) = self.leftovers.poll_next(cx) {
                self.schedule.resume(index);
                continue;
            }
            if let Poll::Ready((index, decision)) = self.approvals.poll_next(cx) {
                if let Some(event) = self.decided(index, decision) {
                    return Poll::Ready(Some(event));
                }
                continue;
            }
            // Calls that use up what a task may do in one go do not put off the end.
            if let Some(timer) = &mut self.timer
                && Pin::new(&mut unconstrained(timer.as_mut()))
                    .poll(cx)
                    .is_ready()
            {
                self.timer = None;
                match self.phase {
                    // Those that run have the same limit, and say so themselves.
                    Phase::Open => self.close(LATE),
                    Phase::Closing(_) => self.stop_running(),
                }
                continue;
            }
            if self.phase == Phase::Open && Pin::new(&mut self.cancelled).poll(cx).is_ready() {
                continue;
            }
            let said = self.unread.as_mut().and_then(|unread| unread.poll_said(cx));
            return said.map_or(Poll::Pending, |update| Poll::Ready(Some(update)));
        }
    }

    fn attempt_ended(&mut self, index: usize, outcome: Outcome) -> Option<DispatchEvent> {
        let Err(error) = &outcome else {
            return Some(self.finish(index, outcome));
        };
        let attempts = self.schedule.attempt(index);
        let (_, policy) = self.tools.of(&self.calls[index]);
        if self.phase != Phase::Open || !policy.retries_after(error, attempts) {
            return Some(self.finish(index, outcome));
        }
        let backoff = self.options.backoff;
        let wait = backoff.wait(attempts, error.retry_after, chance::fraction());
        let at = after(wait);
        if self.deadline.is_some_and(|(end, _)| at >= end) {
            return Some(self.finish(index, outcome));
        }
        self.waits.push(at, index);
        let error = error.clone();
        self.failed.insert(index, error.clone());
        self.delay(index, Delay::Retry { error });
        None
    }

    fn is_late(&self) -> bool {
        let deadline = self.deadline;
        deadline.is_some_and(|(end, _)| Instant::now() >= end)
    }

    fn wait(&mut self, index: usize, wait: Duration) {
        self.waits.push(after(wait), index);
    }

    fn delay(&mut self, index: usize, why: Delay) {
        self.schedule.delay(index);
        if let Some(unread) = &mut self.unread {
            unread.push(DispatchEvent::Delayed { index, why });
        }
    }

    fn finish(&mut self, index: usize, outcome: Outcome) -> DispatchEvent {
        self.schedule.finish(index);
        let mut result = ToolResult::new(&*self.calls[index].id, outcome);
        if let Some(ready) = self.ready.remove(&index) {
            result.changes = ready.changes;
        }
        let event = DispatchEvent::Finished { index, result };
        match &mut self.unread {
            None => event,
            Some(unread) => {
                unread.push(event);
                unread.pop().expect("it was pushed just now")
            }
        }
    }

    /// Nothing starts any more.
    fn close(&mut self, why: &'static str) {
        self.phase = Phase::Closing(why);
        self.waits.clear();
        self.approvals.clear();
        self.admitted.clear();
    }

    fn keep_leftover(&mut self, index: usize, executed: &mut Executed) {
        if let Some(left) = executed.lingering.take()
            && self.has_sequential
        {
            let (_, policy) = self.tools.of(&self.calls[index]);
            let limit = policy.timeout.or(self.options.timeout);
            self.leftovers.push(left, &policy, limit);
        }
    }

    /// What runs is over.
    fn stop_running(&mut self) {
        self.stop.say();
        self.running.wake_all();
    }
}
