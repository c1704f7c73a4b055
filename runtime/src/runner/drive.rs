//! Does what a run says may be done, and tells it what happened.

mod agents;
mod asking;
mod below;
mod calling;
mod hear;
mod keeping;
mod opening;
mod others;
mod planning;
mod stopping;

use std::{
    collections::{BTreeMap, BTreeSet},
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::Poll,
    time::{Duration, SystemTime},
};

#[cfg(feature = "tracing")]
use super::trace::{self, Trace};
use super::{
    Inner, RunEvent,
    begin::{Begin, Resumed},
    calls::Calls,
    control::OpenInbox,
    keeper::Keeper,
    on_demand::OnDemand,
    queue::EventQueue,
    run_node::RunNode,
    time_limit::RunTime,
    typed::{AnswerCheck, FinalTool},
};
use crate::{budget::Budget, dispatch::Timers, random};
use below::Below;
use opening::Opened;
use toolwright_core::{
    Toolset,
    driver::Payload,
    run::{Action, CallId, Record, Run, RunId, RunOutcome, Signal, StoreError, StoredRun},
    tool::{CancellationToken, ToolContext},
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
    let keeps_log = inner.suspend_after.is_some() || inner.may_suspend();
    let opened = match Opened::of(&inner, begin, &context).await {
        Ok(opened) => opened,
        Err(lost) => {
            let mut end = Driven::of(*lost);
            end.outcome.unread.extend(inbox.0.close());
            return end;
        }
    };
    let Opened {
        run,
        log,
        new,
        resumed,
        keeper,
        answer,
    } = opened;
    let keeps_log = keeps_log || resumed.is_some();
    #[cfg(feature = "tracing")]
    let trace = match &resumed {
        Some(_) => Trace::resumed(&run, &log[new..]),
        None => Trace::default(),
    };
    let cancellation = context.cancellation().clone();
    let stopping = cancellation.child();
    let context = context.with_cancellation(stopping.clone());
    let node = RunNode::of(
        &context,
        &run,
        &inner.calls,
        (events.clone(), inbox.0.clone()),
    );
    let node = kept(node, keeper.as_ref(), resumed.is_some());
    let context = context.with_extension(node.clone());
    let mut driver = Driver {
        inner: &inner,
        context: context.for_run(run.id().as_str(), &inner.calls.extensions),
        node,
        tools: Toolset::new(),
        on_demand: OnDemand::default(),
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
        final_tool: None,
        answer: None,
        log: None,
        waited: BTreeMap::new(),
        below: Below::default(),
        model_waited: Duration::ZERO,
        expiry: Timers::new(),
        #[cfg(feature = "tracing")]
        trace,
    };
    driver.time = RunTime::of(&driver.run);
    driver.node.note(&driver.run);
    let form = driver.run.config().answer.as_ref();
    driver.answer = AnswerCheck::of(answer, form);
    driver.final_tool = form.and_then(|form| FinalTool::of(form, driver.answer.clone()));
    // What is written already is read at once.
    let written = keeper.as_ref().map_or(log.len(), Keeper::written);
    driver.publish(new as u64, log[new..written].to_vec());
    driver.keeper = keeper;
    driver.publish(written as u64, log[written..].to_vec());
    driver.log = keeps_log.then_some(log);
    let ended = driver.ended(resumed).await;
    // What suspended runs below have spent counts with the results that their calls have got.
    driver.node.note(&driver.run);
    let late = driver.inbox.0.close();
    let unheard = driver.unheard().await;
    driver.leave_below().await;
    let mut end = match ended {
        _ if driver.lost.is_some() => Driven::of(driver.lost_outcome()),
        Ok(Some(stored)) => {
            #[cfg(feature = "tracing")]
            Trace::tell_suspended(&driver.run);
            let mut end = Driven::of(driver.run.suspended(stored));
            if driver.keeper.is_some() {
                // Its store has it, and `Runner::resume` goes on with it under a lease.
                end.outcome.suspended = None;
            }
            end
        }
        Ok(None) => {
            let outcome = driver.run.into_outcome();
            Driven::of(outcome.expect("a run that is driven to its end is over"))
        }
        Err(panic) if driver.keeper.is_some() => driver.lose(panic),
        Err(panic) => driver.fail(panic),
    };
    end.outcome.unread.extend(late);
    end.outcome.unread.extend(unheard);
    end
}

/// The place of a run in its tree, with what keeps the runs below it.
fn kept(node: RunNode, keeper: Option<&Keeper>, goes_on: bool) -> RunNode {
    let node = node.kept_as(keeper.map(Keeper::around));
    if goes_on {
        // Its driver before may have left some.
        node.leave();
    }
    node
}

struct Driver<'a> {
    inner: &'a Inner,
    /// The context that the contexts of the calls are made from.
    context: ToolContext,
    /// Its place among the runs of agents in agents.
    node: RunNode,
    /// The tools that the model was shown last, and those in the place of the ones that it was not.
    tools: Toolset,
    /// The tools that are looked up.
    on_demand: OnDemand,
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
    /// The calls whose tool is not the one that whoever decides was shown, until they are asked about anew.
    changed: BTreeSet<CallId>,
    /// What keeps the run in a store.
    keeper: Option<Keeper>,
    /// The error of the store, once it took nothing more.
    lost: Option<StoreError>,
    /// What the answer is checked by, if it has a form.
    answer: Option<AnswerCheck>,
    /// The tool that takes the answer, if it is asked for by one.
    final_tool: Option<FinalTool>,
    /// The whole log, of a run that may be suspended.
    log: Option<Vec<Record>>,
    /// The calls that wait or have waited for others, and since when.
    waited: BTreeMap<CallId, SystemTime>,
    /// The calls whose runs below are suspended, and what is said to these.
    below: Below,
    /// So long a run that goes on has waited for its model before.
    model_waited: Duration,
    /// When the time of those is over that wait, if the run has such a time.
    expiry: Timers<CallId>,
    #[cfg(feature = "tracing")]
    trace: Trace,
}

impl Driven {
    fn of(outcome: RunOutcome) -> Self {
        Self {
            outcome,
            panic: None,
        }
    }
}

impl<'a> Driver<'a> {
    /// Drives the run to its end, or until it is suspended.
    async fn finish(&mut self, resumed: Option<Box<Resumed>>) -> Option<StoredRun> {
        let mut calls = Calls::new(self.inner, self.node.grace());
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
                if self.is_suspended(&mut calls).await {
                    match self.suspend(&mut calls).await {
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
            // The calls that have just started are in the log of the reader before they run, apart from reads of a run
            // that is kept.
            if !self.settled_beside(&mut calls).await || self.interruption().is_some() {
                continue;
            }
            // A call goes on whose run below was spoken to.
            if self.below.passing.take_woken() {
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
                // What was said in time is heard first.
                self.listen(&mut calls).await;
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

    /// Does all that may be done now. A call that has to wait holds no place, so that another may start
    /// in its stead: what may be done is asked until it is nothing. After a response the reader comes
    /// first.
    async fn act(&mut self, calls: &mut Calls<'a>) {
        loop {
            let sequence = self.run.sequence();
            if let Some(error) = self.run.model_delay() {
                let hint = error.retry_after;
                if self.may_ask(calls).await {
                    self.wait_for_model(hint).await;
                }
                return;
            }
            // The calls of a round are those of one agent.
            calls.follow(self.agent());
            for action in self.run.poll() {
                self.budget.step().await;
                match action {
                    Action::CallModel(call) => {
                        if self.may_ask(calls).await {
                            self.call_model(call).await;
                            self.node.note(&self.run);
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
        self.interruption().is_none() && !self.run.is_over() && self.is_within_limits()
    }

    /// Returns false if a limit is reached that the run shares with those around it. The run was told then.
    fn is_within_limits(&mut self) -> bool {
        let limit = self.node.shared_limit();
        if let Some(limit) = limit.filter(|_| self.run.is_open_to_limits()) {
            self.signal(Signal::SharedLimitReached(limit));
            return false;
        }
        true
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
