//! Executes a batch of calls in parallel.

mod admit;
mod reader;
mod ready;
mod tools;

use std::{
    collections::BTreeMap,
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::time::Instant;

use super::{
    DispatchOptions, Timer,
    event::{DispatchEvent, Unread},
};
use crate::{
    Schedule, ToolError,
    budget::Budget,
    conversation::not_executed,
    dispatch::{
        AbortSignal, AttemptEnd, AttemptResult,
        admission::gate::{Gate, Released},
        running_calls::RunningCalls,
    },
    run::Delay,
    tool::{Cancelled, ContextParts, ToolCall, ToolResult},
};
pub(super) use admit::Attempt;
use reader::{Reader, Results};
use ready::Ready;
pub(super) use tools::Tools;

/// A batch of calls that is under way: it starts calls as its schedule allows, and says what happens.
///
/// The calls are polled in place, within the caller's task. Nothing outlives the batch but what holds
/// a thread: a function that blocks, until it returns, and a task that computes, until its next `await`.
/// `F` is the work of an attempt, and `S` starts one.
pub(super) struct Batch<'a, S, F: Future> {
    calls: &'a [ToolCall],
    options: &'a DispatchOptions,
    tools: Tools<'a>,
    start: S,
    schedule: Schedule,
    running: RunningCalls<usize, F>,
    gate: Gate<usize>,
    has_sequential: bool,
    /// The calls that somebody approved or whose arguments were set right, and what they run with.
    ready: BTreeMap<usize, Ready>,
    /// The error of the last attempt, for calls that wait for the next one.
    failed: BTreeMap<usize, ToolError>,
    /// The parts from which the contexts of the calls are made.
    context: ContextParts,
    deadline: Option<(Instant, Duration)>,
    timer: Timer,
    cancelled: Cancelled,
    phase: Phase,
    reader: Reader,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Calls may start.
    Open,
    /// None starts any more, for this reason. Those that run were told to stop, or stop themselves.
    Closing(&'static str),
}

/// The reason why a call does not start after the deadline.
const LATE: &str = "the time for the calls of this reply was over";

impl<'a, S, F> Batch<'a, S, F>
where
    S: Fn(Attempt<'a>) -> F,
    F: Future<Output = AttemptEnd>,
{
    pub(super) fn new(
        calls: &'a [ToolCall],
        options: &'a DispatchOptions,
        tools: Tools<'a>,
        start: S,
    ) -> Self {
        let any = tools.has_sequential();
        let sequential = calls
            .iter()
            .map(|call| any && tools.of(call).policy.sequential);
        let deadline = options.end();
        let limiter = options.calls.rate_limiter.clone();
        Self {
            schedule: Schedule::new(options.calls.concurrency, sequential),
            calls,
            options,
            gate: Gate::new(limiter.unwrap_or_else(|| tools.limiter())),
            tools,
            start,
            running: RunningCalls::new(AbortSignal::new(deadline, options.calls.grace)),
            has_sequential: any,
            ready: BTreeMap::new(),
            failed: BTreeMap::new(),
            context: options.context_of_calls(),
            timer: Timer::default(),
            deadline,
            cancelled: options.context.cancellation().cancelled(),
            phase: Phase::Open,
            reader: Reader::Results(Results::new(calls.len())),
        }
    }

    /// Makes it say more than the results.
    pub(super) fn with_events(mut self) -> Self {
        self.reader = Reader::Events(Unread::default());
        self
    }

    /// The next thing that happens, with [events](Self::with_events). `None` when every call has
    /// finished.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<DispatchEvent>> {
        if !ready!(self.poll_news(cx)) {
            return Poll::Ready(None);
        }
        let Reader::Events(unread) = &mut self.reader else {
            return Poll::Ready(None);
        };
        let event = unread.pop(&self.options.calls.output);
        if event.is_none() {
            // It could not be redacted. Others have their turn before the next.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(event)
    }

    /// The results, in the order of the calls, without [events](Self::with_events).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops async calls where they wait.
    pub(super) async fn results(mut self) -> Vec<ToolResult> {
        // Calls that never wait must not keep other tasks waiting.
        let mut budget = Budget::new();
        while poll_fn(|cx| self.poll_news(cx)).await {
            budget.step().await;
        }
        match self.reader {
            Reader::Results(results) => results.into_all(),
            Reader::Events(_) => Vec::new(),
        }
    }

    /// Goes on until there is something to read: an event, or one more result. False when every call
    /// has finished and nothing is left to read.
    fn poll_news(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        loop {
            if self.reader.has_news() {
                return Poll::Ready(true);
            }
            if self.schedule.is_finished() {
                return Poll::Ready(false);
            }
            match self.phase {
                Phase::Open if self.options.context.is_cancelled() => {
                    self.close("the batch was cancelled");
                    self.running.give_grace(self.options.calls.grace);
                    continue;
                }
                Phase::Open => {
                    if let Some(index) = self.schedule.next() {
                        // What runs may hear of the end before the timer is asked.
                        if self.deadline.is_some_and(|(end, _)| Instant::now() >= end) {
                            self.close(LATE);
                            continue;
                        }
                        self.admit(index);
                        continue;
                    }
                }
                Phase::Closing(why) => {
                    if let Some(index) = self.schedule.first_not_running() {
                        let failed = self.failed.remove(&index);
                        let error = failed.unwrap_or_else(|| not_executed(why));
                        self.fail(index, error);
                        continue;
                    }
                }
            }
            if let Poll::Ready((index, mut end)) = self.running.poll_next(cx) {
                if let (Some(left), true) = (end.still_running.take(), self.has_sequential) {
                    let policy = self.tools.of(&self.calls[index]).policy;
                    self.gate.keep(left, policy, &self.options.calls);
                }
                if let (false, Some(ready)) = (end.has_run, self.ready.get_mut(&index)) {
                    // It ran with no arguments at all.
                    ready.call = None;
                }
                self.attempt_ended(index, end.outcome);
                continue;
            }
            match self.gate.poll_next(cx) {
                Poll::Ready(Released::Waited(index)) => {
                    self.schedule.resume(index);
                    continue;
                }
                Poll::Ready(Released::Decided(index, decision)) => {
                    self.decided(index, decision);
                    continue;
                }
                Poll::Pending => {}
            }
            if self.poll_end(cx).is_ready() {
                continue;
            }
            if self.phase == Phase::Open && Pin::new(&mut self.cancelled).poll(cx).is_ready() {
                continue;
            }
            if !self.reader.hears(cx) {
                return Poll::Pending;
            }
        }
    }

    /// Ready when the batch has just come to its deadline, or to the end of the grace of its running calls, which have
    /// just been polled.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match (self.phase, self.deadline) {
            (Phase::Open, Some((end, _))) => {
                ready!(self.timer.poll_at(end, cx));
                // Those that run have the same limit, and say so themselves.
                self.close(LATE);
                Poll::Ready(())
            }
            (Phase::Open, None) => Poll::Pending,
            (Phase::Closing(_), _) => self.running.poll_grace(cx),
        }
    }

    fn attempt_ended(&mut self, index: usize, outcome: AttemptResult) {
        let Err(error) = &outcome else {
            return self.finish(index, outcome);
        };
        let attempts = self.schedule.attempt(index);
        let policy = self.tools.of(&self.calls[index]).policy;
        if self.phase != Phase::Open || !policy.retries_after(error, attempts) {
            return self.finish(index, outcome);
        }
        let at = self.options.calls.next_attempt(attempts, error.retry_after);
        if self.deadline.is_some_and(|(end, _)| at >= end) {
            return self.finish(index, outcome);
        }
        self.gate.wait(index, at);
        let error = ToolError::clone(error);
        self.failed.insert(index, error.clone());
        self.delay(index, Delay::Retry { error });
    }

    fn delay(&mut self, index: usize, why: Delay) {
        self.schedule.delay(index);
        let event = || DispatchEvent::Delayed { index, why };
        self.reader.happened(event);
    }

    fn fail(&mut self, index: usize, error: ToolError) {
        self.finish(index, Err(Box::new(error)));
    }

    fn finish(&mut self, index: usize, outcome: AttemptResult) {
        self.schedule.finish(index);
        let ready = self.ready.remove(&index).unwrap_or_default();
        let call = &self.calls[index];
        let mut result = ToolResult {
            call_id: call.id.clone(),
            outcome: outcome.map_err(|error| *error),
            changes: ready.changes,
        };
        if let (true, Some(edited)) = (result.is_edited(), ready.call)
            && self.schedule.attempt(index) > 0
        {
            let policy = self.tools.of(call).policy;
            let arguments = edited.arguments.clone();
            let shown = self.options.calls.output.reason(policy, arguments);
            result = result.with_edited(&shown);
        }
        self.reader.finished(index, result);
    }

    /// Nothing starts any more.
    fn close(&mut self, why: &'static str) {
        self.phase = Phase::Closing(why);
        self.gate.close();
    }
}
