//! Does what a run says may be done, and tells it what happened.

mod asking;
mod calling;
#[cfg(feature = "store")]
mod hear;
mod keeping;
mod others;
mod planning;

use std::{
    collections::{BTreeMap, BTreeSet},
    future::{Future, poll_fn},
    mem::take,
    panic::AssertUnwindSafe,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::SystemTime,
};

use futures_util::{
    FutureExt,
    future::{Either, select},
};

#[cfg(feature = "tracing")]
use super::trace::{self, Trace};
use super::{
    Inner, RunEvent,
    begin::{Begin, Resumed},
    calls::Calls,
    control::{OpenInbox, Said},
    keeper::{Keeper, NewKeeper},
    queue::EventQueue,
    time_limit::RunTime,
};
use crate::{
    Conversation, ToolError, Toolset, UserMessage,
    budget::Budget,
    dispatch::Timers,
    model::{ModelError, ModelErrorKind},
    panics::{Payload, discard, text_of},
    random,
    run::{
        Action, CallId, Failure, Finish, Interruption, Record, Run, RunId, RunOutcome, Signal,
        StoreError, StoredRun,
    },
    tool::{CancellationToken, ToolContext, ToolResult},
};

/// A run that is over, or suspended.
pub(super) struct Driven {
    pub(super) outcome: RunOutcome,
    /// The panic of the driver, if it is no failure of the run: where a timer is needed and tokio has none,
    /// for example.
    pub(super) panic: Option<Payload>,
}

/// Performs a run from its start to its end. The token of the context cancels it.
pub(super) async fn drive(
    inner: Arc<Inner>,
    context: ToolContext,
    begin: Begin,
    events: EventQueue,
    inbox: OpenInbox,
) -> Driven {
    let keeps_log = inner.suspend_after.is_some() || inner.tools.may_suspend();
    let (run, log, new, resumed, keeper) = match begin {
        Begin::New {
            keeper,
            id,
            conversation,
            input,
        } => match begin_new(&inner, keeper, id, conversation, input).await {
            Ok((run, log, keeper)) => (run, log, 0, None, keeper),
            Err(lost) => return Driven::lost(*lost),
        },
        Begin::Resumed(mut resumed) => {
            let log = take(&mut resumed.log);
            let new = log.len() - resumed.missing;
            let keeper = resumed.keeper.take();
            (resumed.run.clone(), log, new, Some(resumed), keeper)
        }
    };
    let keeps_log = keeps_log || resumed.is_some();
    #[cfg(feature = "tracing")]
    let trace = match &resumed {
        Some(_) => Trace::resumed(&run, &log[new..]),
        None => Trace::default(),
    };
    let cancellation = context.cancellation().clone();
    let stopping = cancellation.child();
    let context = context.with_cancellation(stopping.clone());
    let mut driver = Driver {
        inner: &inner,
        context: context.for_run(run.id().as_str(), &inner.calls.extensions),
        tools: Toolset::new(),
        budget: Budget::new(),
        run,
        events,
        inbox,
        cancellation: &cancellation,
        cancelled: false,
        time: RunTime::default(),
        stopping,
        changed: BTreeSet::new(),
        keeper: None,
        lost: None,
        log: None,
        waited: BTreeMap::new(),
        expiry: Timers::new(),
        #[cfg(feature = "tracing")]
        trace,
    };
    driver.time = RunTime::of(&driver.run);
    // The beginning of a run that is kept was written.
    let is_new = resumed.is_none();
    if is_new {
        driver.publish(new as u64, log[new..].to_vec());
    }
    driver.keeper = keeper;
    if !is_new {
        driver.publish(new as u64, log[new..].to_vec());
    }
    driver.log = keeps_log.then_some(log);
    let ended = driver.ended(resumed).await;
    driver.write().await;
    let late = driver.inbox.0.close();
    let mut end = match ended {
        _ if driver.lost.is_some() => Driven::lost(driver.lost_outcome()),
        Ok(Some(stored)) => {
            #[cfg(feature = "tracing")]
            Trace::tell_suspended(&driver.run);
            let outcome = driver.run.suspended(stored);
            Driven {
                outcome,
                panic: None,
            }
        }
        Ok(None) => {
            let outcome = driver.run.into_outcome();
            Driven {
                outcome: outcome.expect("a run that is driven to its end is over"),
                panic: None,
            }
        }
        Err(panic) => driver.fail(panic),
    };
    end.outcome.unread.extend(messages(late));
    end
}

/// The messages among what came too late.
fn messages(late: impl IntoIterator<Item = Said>) -> impl Iterator<Item = UserMessage> {
    late.into_iter().filter_map(|said| match said {
        Said::Message(message) => Some(message),
        _ => None,
    })
}

/// Begins a run, in its store if it is kept.
async fn begin_new(
    inner: &Inner,
    keeper: Option<Box<NewKeeper>>,
    id: RunId,
    mut conversation: Conversation,
    input: UserMessage,
) -> Result<(Run, Vec<Record>, Option<Keeper>), Box<RunOutcome>> {
    let Some(mut new) = keeper else {
        let (run, log) = Run::start(id, inner.run_config(), conversation, input);
        return Ok((run, log, None));
    };
    let mut failed = None;
    match new.conversation(conversation.clone()).await {
        Ok(stored) => conversation = stored,
        Err(error) => failed = Some(error),
    }
    let (run, log) = Run::start(id, inner.run_config(), conversation, input);
    let created = match failed {
        Some(error) => Err(error),
        None => new.create(&log).await,
    };
    match created {
        Ok(keeper) => Ok((run, log, Some(keeper))),
        Err(error) => Err(Box::new(run.lost(error))),
    }
}

struct Driver<'a> {
    inner: &'a Inner,
    /// The context that the contexts of the calls are made from.
    context: ToolContext,
    /// The tools that the model was shown last.
    tools: Toolset,
    /// A run that never waits must not keep a cancel or other tasks waiting.
    budget: Budget,
    run: Run,
    events: EventQueue,
    inbox: OpenInbox,
    cancellation: &'a CancellationToken,
    /// True if the run was told that it is cancelled.
    cancelled: bool,
    time: RunTime,
    /// Tells the calls that they are to stop: when the run is cancelled, and when its time is up.
    stopping: CancellationToken,
    /// The calls whose tool is not the one that whoever decides was shown.
    changed: BTreeSet<CallId>,
    /// What keeps the run in a store.
    keeper: Option<Keeper>,
    /// The error of the store, once it took nothing more.
    lost: Option<StoreError>,
    /// The whole log, of a run that may be suspended.
    log: Option<Vec<Record>>,
    /// The calls that wait or have waited for others, and since when.
    waited: BTreeMap<CallId, SystemTime>,
    /// When the time of those is over that wait, if the run has such a time.
    expiry: Timers<CallId>,
    #[cfg(feature = "tracing")]
    trace: Trace,
}

impl Driven {
    /// A run that its store has lost.
    fn lost(outcome: RunOutcome) -> Self {
        Self {
            outcome,
            panic: None,
        }
    }
}

impl Driver<'_> {
    /// Drives the run to its end, until it is suspended, or until it is lost.
    async fn ended(&mut self, resumed: Option<Box<Resumed>>) -> Result<Option<StoredRun>, Payload> {
        let watch = self.keeper.as_ref().map(Keeper::watch);
        let (inbox, cancellation) = (self.inbox.0.clone(), self.cancellation.clone());
        let finish = AssertUnwindSafe(self.finish(resumed)).catch_unwind();
        let Some(watch) = watch else {
            return finish.await;
        };
        let lost = {
            let watching = pin!(watch.lost(inbox, cancellation));
            match select(pin!(finish), watching).await {
                Either::Left((ended, _)) => return ended,
                Either::Right((lost, _)) => lost,
            }
        };
        self.lost = Some(lost);
        Ok(None)
    }

    /// The outcome of a run that its store has lost.
    fn lost_outcome(&mut self) -> RunOutcome {
        let error = self.lost.take();
        self.run.lost(error.expect("whoever asks has looked"))
    }

    /// Drives the run to its end, or until it is suspended.
    async fn finish(&mut self, resumed: Option<Box<Resumed>>) -> Option<StoredRun> {
        let mut calls = Calls::new(self.inner);
        if let Some(resumed) = resumed {
            self.go_on(&mut calls, *resumed);
        }
        let mut cancelled = self.cancellation.cancelled();
        loop {
            self.budget.step().await;
            // What was recorded is written with what follows from it.
            self.events.read().await;
            if self.lost.is_some() {
                return None;
            }
            if let Some(signal) = self.interruption() {
                self.interrupt(&mut calls, signal).await;
            }
            if let Some(time) = self.time.to_note(&self.run) {
                self.signal(Signal::TimeUsed(time));
            }
            self.take_messages(Some(&mut calls));
            // No call starts any more once what runs was told to stop. A summary may follow.
            if !calls.is_closing() || calls.are_over() {
                self.act(&mut calls).await;
            }
            if self.run.is_over() {
                return None;
            }
            if calls.is_idle() && !self.run.waiting_for_others().is_empty() {
                if self.is_suspended().await {
                    match self.suspend().await {
                        Ok(Some(stored)) => return Some(stored),
                        Ok(None) => {}
                        Err(error) => self.lost = Some(error),
                    }
                }
                continue;
            }
            if calls.is_idle() || calls.are_over() {
                continue;
            }
            // The calls that have just started are in the log of the reader before they run.
            if !self.settled().await || self.interruption().is_some() {
                continue;
            }
            let (time, inbox, is_cancelled) = (&mut self.time, &self.inbox.0, self.cancelled);
            let (expiry, mut expired) = (&mut self.expiry, None);
            let happened = poll_fn(|cx| {
                if let Poll::Ready(happened) = calls.poll_next(cx) {
                    return Poll::Ready(Some(happened));
                }
                // Nothing else is waited for by then, also not the time.
                if is_cancelled {
                    return Poll::Pending;
                }
                if inbox.poll_filled(cx).is_ready() {
                    return Poll::Ready(None);
                }
                if Pin::new(&mut cancelled).poll(cx).is_ready() {
                    return Poll::Ready(None);
                }
                if let Poll::Ready(id) = expiry.poll_next(cx) {
                    expired = Some(id);
                    return Poll::Ready(None);
                }
                time.poll_up(cx).map(|()| None)
            });
            let happened = happened.await;
            if let Some(id) = expired {
                self.expire(id);
            }
            if let Some(happened) = happened {
                // What was said before it is heard before it: the last call ends its round.
                self.take_messages(Some(&mut calls));
                self.happened(&mut calls, happened);
                if self.keeper.is_some() {
                    self.take_ready(&mut calls).await;
                }
            }
        }
    }

    /// Returns the signal that interrupts the run, if the run was not told yet.
    fn interruption(&self) -> Option<Signal> {
        if self.cancelled {
            None
        } else if self.cancellation.is_cancelled() {
            Some(Signal::Cancel)
        } else {
            self.time.is_up().then_some(Signal::TimeLimitReached)
        }
    }

    /// Stops what runs, and tells the run why.
    async fn interrupt(&mut self, calls: &mut Calls<'_>, signal: Signal) {
        if calls.is_closing() {
            return self.stop(signal);
        }
        self.stopping.cancel();
        // What the application has answered by now has finished as well.
        self.take_messages(Some(calls));
        // What is ready has finished, and a tool that heard of the end may say its last.
        self.take_ready(calls).await;
        self.stop(signal);
        self.inbox.0.expect_nothing();
        self.expiry.clear();
        calls.close();
    }

    /// Takes what is ready of the calls.
    async fn take_ready(&mut self, calls: &mut Calls<'_>) {
        while let Some(happened) = calls.next().now_or_never() {
            self.take_messages(Some(calls));
            self.happened(calls, happened);
            self.budget.step().await;
        }
    }

    /// Tells the run that it is cancelled, or that its time is up.
    fn stop(&mut self, signal: Signal) {
        match signal {
            Signal::Cancel
            | Signal::ReplyBrokenOff {
                by: Interruption::Cancel,
                ..
            } => self.cancelled = true,
            _ => self.time.told(&self.run.config().limits),
        }
        self.signal(signal);
    }

    /// Ends a run whose driver panicked, with all that it has done. While the model is to be asked, that
    /// is what failed.
    fn fail(&mut self, panic: Payload) -> Driven {
        let error = ModelError::new(ModelErrorKind::Panicked, text_of(&panic));
        self.signal(Signal::ModelFailed(error));
        self.signal(Signal::Cancel);
        for action in self.run.poll() {
            if let Action::CancelCall(id) = action {
                let effects = self.run.policy(id).map(|policy| policy.effects);
                let aftermath = effects.unwrap_or_default().aftermath();
                let message = format!("the run broke off while the call ran{aftermath}");
                let stopped = ToolError::cancelled(message);
                self.signal(Signal::CallFinished(id, ToolResult::error("", stopped)));
            }
        }
        let outcome = self.run.outcome();
        let outcome = outcome.expect("a run that is cancelled is over when its calls are");
        let panic = if matches!(outcome.finish, Finish::Failed(Failure::Model(_))) {
            discard(panic);
            None
        } else {
            Some(panic)
        };
        Driven { outcome, panic }
    }

    /// Does all that may be done now. A call that has to wait holds no place, so that another may start
    /// in its stead: what may be done is asked until it is nothing. After a response the reader comes
    /// first.
    async fn act(&mut self, calls: &mut Calls<'_>) {
        loop {
            let sequence = self.run.sequence();
            if let Some(error) = self.run.model_delay() {
                let hint = error.retry_after;
                if self.may_ask(calls).await {
                    self.wait_for_model(hint).await;
                }
                return;
            }
            for action in self.run.poll() {
                self.budget.step().await;
                match action {
                    Action::CallModel(call) => {
                        if self.may_ask(calls).await {
                            self.call_model(call).await;
                        }
                        return;
                    }
                    Action::PlanRequest => {
                        if self.may_ask(calls).await {
                            self.plan_request().await;
                        }
                        return;
                    }
                    Action::StartCall(id) => {
                        self.prepare(calls, id);
                        self.start(calls, id);
                    }
                    Action::AskApproval(id) => {
                        self.prepare(calls, id);
                        self.ask(calls, id);
                    }
                    Action::AskAnswer(id) => {
                        self.prepare(calls, id);
                        self.ask_answer(calls, id);
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

    /// Returns true if nobody has ended the run before its next request.
    async fn may_ask(&mut self, calls: &mut Calls<'_>) -> bool {
        // Calls that were refused or stopped are in the log of the reader by then, who may have said something.
        if !self.settled().await {
            return false;
        }
        self.take_messages(Some(calls));
        if self.run.ends_after_round() {
            self.stop(Signal::Cancel);
        }
        self.interruption().is_none() && !self.run.is_over()
    }

    fn signal(&mut self, signal: Signal) {
        #[cfg(feature = "tracing")]
        let is_told = trace::is_read();
        #[cfg(not(feature = "tracing"))]
        let is_told = false;
        if self.events.is_closed() && self.log.is_none() && self.keeper.is_none() && !is_told {
            return self.run.handle_unread(signal);
        }
        let first = self.run.sequence();
        let records = self.run.handle(signal);
        if let Some(log) = &mut self.log {
            log.extend_from_slice(&records);
        }
        self.publish(first, records);
    }

    fn publish(&mut self, first: u64, records: Vec<Record>) {
        for (sequence, record) in (first..).zip(records) {
            #[cfg(feature = "tracing")]
            self.trace.tell(&self.run, &record);
            if let Some(keeper) = &mut self.keeper {
                keeper.hold(vec![record]);
                continue;
            }
            self.events.push(|| RunEvent::Recorded { sequence, record });
        }
    }
}

pub(super) fn new_run_id() -> RunId {
    RunId::new(random::new_id())
}
