//! Does what a run says may be done, and tells it what happened.

use std::{
    future::{Future, poll_fn},
    panic::AssertUnwindSafe,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use super::{
    Inner, RunEvent,
    calls::{Admitted, Calls, Happened},
    queue::EventQueue,
    reply::{Events, complete},
};
use crate::{
    Conversation, ToolError, Toolset, UserMessage,
    budget::Budget,
    dispatch::{Executed, Timer, after, chance},
    model::{Assembler, ModelError, ModelErrorKind, ModelRequest, ModelResponse},
    panics::{Payload, discard, text_of},
    run::{Action, CallId, Delay, ModelCall, Record, Run, RunId, RunOutcome, Signal},
    tool::{CancellationToken, Progress, ToolContext, ToolPolicy, ToolResult},
};
use futures_util::{
    FutureExt,
    future::{Either, select},
};

/// A run that is over.
pub(super) struct Driven {
    pub(super) outcome: RunOutcome,
    /// What the driver panicked with, if that is no failure of the run: where a timer is needed and tokio
    /// has none, for example.
    pub(super) panic: Option<Payload>,
}

/// Performs a run from its start to its end. The token of the context cancels it.
pub(super) async fn drive(
    inner: Arc<Inner>,
    context: ToolContext,
    run_id: RunId,
    conversation: Conversation,
    input: UserMessage,
    events: EventQueue,
) -> Driven {
    let (run, records) = Run::start(run_id, inner.config.clone(), conversation, input);
    let cancellation = context.cancellation().clone();
    let mut driver = Driver {
        inner: &inner,
        context: context.for_batch(run.id().as_str()),
        tools: Toolset::new(),
        budget: Budget::new(),
        run,
        events,
        cancellation: &cancellation,
    };
    driver.publish(0, records);
    match AssertUnwindSafe(driver.finish()).catch_unwind().await {
        Ok(outcome) => Driven {
            outcome,
            panic: None,
        },
        Err(panic) => driver.fail(panic),
    }
}

struct Driver<'a> {
    inner: &'a Inner,
    /// What the contexts of the calls are made of.
    context: ToolContext,
    /// What the model was shown last.
    tools: Toolset,
    /// A run that never waits must not keep a cancel or other tasks waiting.
    budget: Budget,
    run: Run,
    events: EventQueue,
    cancellation: &'a CancellationToken,
}

impl Driver<'_> {
    async fn finish(&mut self) -> RunOutcome {
        let mut calls = Calls::new(self.inner);
        let mut cancelled = self.cancellation.cancelled();
        loop {
            self.budget.step().await;
            self.events.read().await;
            if self.cancellation.is_cancelled() && !calls.is_closing() {
                self.cancel(&mut calls).await;
            }
            // Nothing starts any more once it is cancelled.
            if !calls.is_closing() {
                self.act(&mut calls).await;
            }
            if let Some(outcome) = self.run.outcome() {
                return outcome;
            }
            if calls.is_idle() {
                continue;
            }
            // The calls that have just started are in the log of the reader before they run.
            self.events.read().await;
            if self.cancellation.is_cancelled() && !calls.is_closing() {
                continue;
            }
            let happened = poll_fn(|cx| {
                if let Poll::Ready(happened) = calls.poll_next(cx) {
                    return Poll::Ready(Some(happened));
                }
                if calls.is_closing() {
                    return Poll::Pending;
                }
                Pin::new(&mut cancelled).poll(cx).map(|()| None)
            });
            if let Some(happened) = happened.await {
                self.happened(&mut calls, happened);
            }
        }
    }

    /// The run is cancelled.
    async fn cancel(&mut self, calls: &mut Calls<'_>) {
        // What is ready has finished, and a tool that heard of the cancel may say its last.
        while let Some(happened) = calls.next().now_or_never() {
            self.happened(calls, happened);
            self.budget.step().await;
        }
        self.signal(Signal::Cancel);
        calls.close();
    }

    /// Ends a run whose driver panicked, with all that it has done. While the model is to be asked, that
    /// is what failed.
    fn fail(&mut self, panic: Payload) -> Driven {
        let before = self.run.sequence();
        let error = ModelError::new(ModelErrorKind::Panicked, text_of(&panic));
        self.signal(Signal::ModelFailed(error));
        let panic = if self.run.sequence() == before {
            Some(panic)
        } else {
            discard(panic);
            None
        };
        self.signal(Signal::Cancel);
        for action in self.run.poll() {
            if let Action::CancelCall(id) = action {
                let stopped = ToolError::cancelled("the run broke off while the call ran");
                self.signal(Signal::CallFinished(id, ToolResult::error("", stopped)));
            }
        }
        let outcome = self.run.outcome();
        let outcome = outcome.expect("a run that is cancelled is over when its calls are");
        Driven { outcome, panic }
    }

    /// Does all that may be done now. A call that has to wait holds no place, so that another may start
    /// in its stead: what may be done is asked until it is nothing. After a reply the reader comes
    /// first.
    async fn act(&mut self, calls: &mut Calls<'_>) {
        loop {
            let sequence = self.run.sequence();
            if let Some(error) = self.run.model_delay() {
                let hint = error.retry_after;
                return self.wait_for_model(hint).await;
            }
            for action in self.run.poll() {
                self.budget.step().await;
                match action {
                    Action::CallModel(call) => return self.call_model(call).await,
                    Action::StartCall(id) => {
                        self.prepare(calls, id);
                        self.start(calls, id);
                    }
                    Action::AskApproval(id) => {
                        self.prepare(calls, id);
                        self.ask(calls, id);
                    }
                    // What runs was told, and ends within its grace or is over then.
                    Action::CancelCall(_) => {}
                }
            }
            if self.run.sequence() == sequence {
                return;
            }
        }
    }

    fn prepare(&mut self, calls: &mut Calls<'_>, id: CallId) {
        if let Some(signal) = calls.prepare(&self.tools, &self.run, id) {
            self.signal(signal);
        }
    }

    fn start(&mut self, calls: &mut Calls<'_>, id: CallId) {
        match calls.admit(&self.tools, &self.run, id) {
            Admitted::Now => {
                self.signal(Signal::CallStarted(id));
                let cx = self.context_of(id);
                calls.start(&self.tools, &self.run, id, &cx);
            }
            Admitted::Later(why) => self.signal(Signal::CallDelayed(id, why)),
            Admitted::Refused(error) => self.signal(Signal::CallRefused(id, error)),
        }
    }

    fn ask(&mut self, calls: &mut Calls<'_>, id: CallId) {
        match calls.check(&self.tools, &self.run, id) {
            Ok(()) => {
                self.signal(Signal::CallDelayed(id, Delay::Approval));
                calls.ask(&self.run, id, &self.context_of(id));
            }
            Err(error) => self.signal(Signal::CallRefused(id, error)),
        }
    }

    fn happened(&mut self, calls: &mut Calls<'_>, happened: Happened) {
        match happened {
            Happened::Ended(id, executed) => self.call_finished(calls, id, executed),
            Happened::Waited(id) => self.signal(Signal::CallResumed(id)),
            Happened::Decided(id, decision) => {
                let decision = calls.decided(&self.tools, &self.run, id, decision);
                self.signal(Signal::CallDecided(id, decision));
            }
        }
    }

    async fn call_model(&mut self, call: ModelCall) {
        let mut request = self.run.request();
        request.settings.clone_from(&self.inner.settings);
        if call != ModelCall::Flattened {
            self.tools = self.inner.tools.snapshot();
            request.tools = self.tools.shared_definitions().clone();
        }
        let mut shown = false;
        let signal = {
            let reply = pin!(self.reply(&request, &mut shown));
            let cancelled = pin!(self.cancellation.cancelled());
            match select(reply, cancelled).await {
                Either::Left((Ok(response), _)) => {
                    let response = response.normalized();
                    let policies = response
                        .tool_calls
                        .iter()
                        .map(|call| self.policy(&call.name))
                        .collect();
                    Ok(Signal::Replied { response, policies })
                }
                Either::Left((Err(error), _)) => Err(error),
                Either::Right(_) => Ok(Signal::Cancel),
            }
        };
        // The run adds to messages that nobody else holds without a copy.
        drop(request);
        self.signal(match signal {
            Ok(signal) => signal,
            Err(error) if shown => Signal::ModelBrokeOff(error),
            Err(error) => Signal::ModelFailed(error),
        });
    }

    /// Waits before the model is asked again, unless the run is cancelled.
    async fn wait_for_model(&mut self, hint: Option<Duration>) {
        let backoff = self.inner.model_backoff;
        let wait = backoff.wait(self.run.model_attempts(), hint, chance::fraction());
        let (at, mut timer) = (after(wait), Timer::default());
        let waited = poll_fn(|cx| timer.poll_at(at, cx));
        let cancelled = pin!(self.cancellation.cancelled());
        if let Either::Left(_) = select(pin!(waited), cancelled).await {
            self.signal(Signal::ModelResumed);
        }
    }

    /// The whole reply. Its pieces are published as they come; `shown` says whether anybody may have
    /// seen one of the answer.
    async fn reply(
        &self,
        request: &ModelRequest,
        shown: &mut bool,
    ) -> Result<ModelResponse, ModelError> {
        if !self.inner.streaming {
            return complete(&**self.inner.model, request).await;
        }
        let mut stream = Events::of(&**self.inner.model, request)?;
        let mut assembler = Assembler::new();
        let mut budget = Budget::new();
        while let Some(event) = stream.next().await {
            match event {
                Ok(event) => {
                    let published = self.events.push(|| RunEvent::Delta(event.clone()));
                    *shown |= published && !event.is_beside_the_answer();
                    assembler.push_bounded(event)?;
                }
                Err(error) => return Err(error.or_partial(assembler.finish())),
            }
            // A model that never waits must not keep the reader, a cancel or other tasks waiting.
            self.events.read().await;
            budget.step().await;
            if self.cancellation.is_cancelled() {
                std::future::pending::<()>().await;
            }
        }
        stream.end(assembler.into_reply()?)
    }

    /// What the application and the run hand to a call.
    fn context_of(&self, id: CallId) -> ToolContext {
        self.context.clone().with_progress(self.progress_of(id))
    }

    fn progress_of(&self, id: CallId) -> Progress {
        let events = self.events.clone();
        Progress::new(move |update| events.update(id, update))
    }

    fn policy(&self, name: &str) -> ToolPolicy {
        let policy = self.tools.policy(name);
        // Nobody is asked about a tool that is not there.
        match self.tools.find(name) {
            Some(_) => self.inner.calls.approvals.applied(policy),
            None => policy,
        }
    }

    fn call_finished(&mut self, calls: &mut Calls<'_>, id: CallId, mut executed: Executed) {
        calls.keep_leftover(&self.tools, &self.run, id, &mut executed);
        let outcome = executed.outcome.map_err(|error| *error);
        let error = outcome.as_ref().err();
        let hint = error.and_then(|error| error.retry_after);
        let result = ToolResult::new("", outcome);
        let attempts = self.run.attempt(id);
        self.signal(Signal::CallFinished(id, result));
        if self.run.is_delayed(id) {
            calls.wait(id, attempts, hint);
        }
    }

    fn signal(&mut self, signal: Signal) {
        let first = self.run.sequence();
        let records = self.run.handle(signal);
        self.publish(first, records);
    }

    fn publish(&self, first: u64, records: Vec<Record>) {
        for (sequence, record) in (first..).zip(records) {
            self.events.push(|| RunEvent::Recorded { sequence, record });
        }
    }
}

pub(super) fn new_run_id() -> RunId {
    RunId::new(chance::new_id())
}
