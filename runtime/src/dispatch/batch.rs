//! Executes a batch of calls in parallel.

mod admit;
mod one;
mod reader;
mod ready;
mod tools;

use std::{
    collections::BTreeMap,
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::time::Instant;

use super::{
    DispatchOptions, Timer, after,
    event::{DispatchEvent, Unread},
};
use crate::{
    budget::Budget,
    dispatch::{
        AttemptEnd, AttemptResult, CallRules, InPlace,
        admission::gate::{Gate, Released},
        running_calls::RunningCalls,
    },
};
pub(super) use admit::Attempt;
use reader::{Reader, Results};
use ready::Ready;
use tools::Tools;
use toolwright_core::{
    Schedule, ToolError, Toolset,
    driver::{BatchContext, not_executed},
    run::Delay,
    tool::{Cancelled, ToolCall, ToolResult},
};

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
    running: RunningCalls<usize, Pin<Box<F>>>,
    /// Made when a call has to pass it.
    gate: Option<Box<Gate<usize>>>,
    has_sequential: bool,
    /// The approved calls and those with normalized arguments, and the call that runs in their
    /// place.
    ready: BTreeMap<usize, Ready>,
    /// The error of the last attempt, for calls that wait for the next one.
    failed: BTreeMap<usize, ToolError>,
    /// What asks the questions of the calls that have started: their answers are those of all attempts.
    asks: BTreeMap<usize, Option<Arc<InPlace>>>,
    /// What the contexts of the calls are made of.
    context: BatchContext<'a>,
    deadline: Option<(Instant, Duration)>,
    timer: Timer,
    /// Made when something is waited for.
    cancelled: Option<Cancelled>,
    phase: Phase,
    reader: Reader,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Calls may start.
    Open,
    /// None starts any more, for this reason. Running calls were notified, or stop by themselves.
    Closing(&'static str),
}

/// The reason why a call does not start after the deadline.
const LATE: &str = "the time for the calls of this response was over";

/// Runs the calls of a batch, and gives their results in the order of the calls.
///
/// # Cancel safety
///
/// Dropping the future stops async calls where they wait.
pub(super) async fn results<'a, S, F>(
    calls: &'a [ToolCall],
    options: &'a DispatchOptions,
    set: Option<&'a Toolset>,
    start: S,
) -> Vec<ToolResult>
where
    S: Fn(Attempt<'a>) -> F,
    F: Future<Output = AttemptEnd>,
{
    let tools = Tools::new(set, &options.calls);
    if let Some(rules) = one::needs_no_batch(calls, options, tools) {
        return vec![one::result(rules, options, start).await];
    }
    let reader = Reader::Results(Results::new(calls.len()));
    Batch::new(calls, options, tools, start, reader)
        .results()
        .await
}

impl<'a, S, F> Batch<'a, S, F>
where
    S: Fn(Attempt<'a>) -> F,
    F: Future<Output = AttemptEnd>,
{
    fn new(
        calls: &'a [ToolCall],
        options: &'a DispatchOptions,
        tools: Tools<'a>,
        start: S,
        reader: Reader,
    ) -> Self {
        let ending = options.ending();
        let any = tools.has_sequential();
        let sequential = calls
            .iter()
            .map(|call| any && tools.rules(call).policy.sequential);
        Self {
            schedule: Schedule::new(options.calls.concurrency, sequential),
            calls,
            options,
            gate: None,
            tools,
            start,
            deadline: ending.deadline,
            running: RunningCalls::new(ending),
            has_sequential: any,
            ready: BTreeMap::new(),
            failed: BTreeMap::new(),
            asks: BTreeMap::new(),
            context: options.context_of_calls(),
            timer: Timer::default(),
            cancelled: None,
            phase: Phase::Open,
            reader,
        }
    }

    /// A batch that is read by its [events](Self::poll_next).
    pub(super) fn of_events(
        calls: &'a [ToolCall],
        options: &'a DispatchOptions,
        set: Option<&'a Toolset>,
        start: S,
    ) -> Self {
        let tools = Tools::new(set, &options.calls);
        let reader = Reader::Events(Unread::default());
        Self::new(calls, options, tools, start, reader)
    }

    /// The next thing that happens. `None` when every call has finished.
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

    async fn results(mut self) -> Vec<ToolResult> {
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
                        self.admit(index, cx);
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
            if let Poll::Ready((index, end)) = self.running.poll_next(cx) {
                self.ended(index, end);
                continue;
            }
            if let Some(gate) = &mut self.gate {
                match gate.poll_next(cx) {
                    Poll::Ready(Released::Waited(index)) => {
                        self.schedule.resume(index);
                        continue;
                    }
                    Poll::Ready(Released::Checked(index, Ok(()))) => {
                        self.ask(index);
                        continue;
                    }
                    Poll::Ready(Released::Checked(index, Err(error))) => {
                        let error = self.rules(index).refused(error);
                        self.fail(index, error);
                        continue;
                    }
                    Poll::Ready(Released::Decided(index, decision)) => {
                        self.decided(index, decision);
                        continue;
                    }
                    Poll::Pending => {}
                }
            }
            if self.poll_end(cx).is_ready() {
                continue;
            }
            if self.phase == Phase::Open && self.poll_cancelled(cx).is_ready() {
                continue;
            }
            if !self.reader.hears(cx) {
                return Poll::Pending;
            }
        }
    }

    fn poll_cancelled(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let token = self.options.context.cancellation();
        let cancelled = self.cancelled.get_or_insert_with(|| token.cancelled());
        Pin::new(cancelled).poll(cx)
    }

    /// Returns the gate, which only calls have that are held or may be.
    fn gate(&mut self) -> &mut Gate<usize> {
        self.gate
            .get_or_insert_with(|| Box::new(Gate::new(self.tools.limiter())))
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

    /// An attempt of a call has ended.
    fn ended(&mut self, index: usize, mut end: AttemptEnd) {
        if let (Some(left), true) = (end.still_running.take(), self.has_sequential) {
            let rules = self.rules(index);
            self.gate().keep(left, rules);
        }
        if let (false, Some(ready)) = (end.has_run, self.ready.get_mut(&index)) {
            // It ran with no arguments at all.
            ready.call = None;
        }
        self.attempt_ended(index, end.outcome);
    }

    fn attempt_ended(&mut self, index: usize, outcome: AttemptResult) {
        let Err(error) = &outcome else {
            return self.finish(index, outcome);
        };
        let attempts = self.schedule.attempt(index);
        let policy = self.rules(index).policy;
        if self.phase != Phase::Open || !policy.retries_after(error, attempts) {
            return self.finish(index, outcome);
        }
        let at = after(self.options.calls.retry_wait(attempts, error.retry_after));
        if self.deadline.is_some_and(|(end, _)| at >= end) {
            return self.finish(index, outcome);
        }
        self.gate().wait(index, at);
        let error = ToolError::clone(error);
        self.failed.insert(index, error.clone());
        self.delay(index, Delay::Retry { error });
    }

    fn rules(&self, index: usize) -> CallRules<'a> {
        self.tools.rules(&self.calls[index])
    }

    fn delay(&mut self, index: usize, why: Delay) {
        self.schedule.delay(index);
        self.waits(index, why);
    }

    /// Says why a call waits.
    fn waits(&mut self, index: usize, why: Delay) {
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
            outcome,
            changes: ready.changes,
        };
        if let (true, Some(edited)) = (result.is_edited(), ready.call)
            && self.schedule.attempt(index) > 0
        {
            let policy = self.rules(index).policy;
            let arguments = edited.arguments.clone();
            let shown = self.options.calls.output.reason(policy, arguments);
            result = result.with_edited(&shown);
        }
        self.reader.finished(index, result);
    }

    /// Nothing starts any more.
    fn close(&mut self, why: &'static str) {
        self.phase = Phase::Closing(why);
        if let Some(gate) = &mut self.gate {
            gate.close();
        }
    }
}
