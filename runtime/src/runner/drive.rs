//! Performs the actions of a run, and signals what happened. The driver has four parts: one keeps the run, one listens,
//! one asks models and one runs calls. What needs two of them is done here.

mod asking;
mod call_runner;
mod hearing;
mod journal;
mod listener;
mod opening;
mod requester;
mod suspend;

use std::{future::poll_fn, panic::AssertUnwindSafe, sync::Arc, task::Poll, time::Duration};

use futures_util::FutureExt;

use super::{
    Inner,
    begin::{Begin, Resumed},
    calls::Happened,
    control::OpenInbox,
    input_check::InputChecker,
    keeper::Keeper,
    queue::EventQueue,
    run_node::{RunNode, Waits},
};
use crate::{budget::Budget, random};
use call_runner::CallRunner;
use journal::Journal;
use listener::Listener;
use opening::Opened;
use requester::Requester;
use toolwright_core::{
    UserMessage,
    driver::Payload,
    run::{Action, CallId, RunId, RunOutcome, Signal, StoreError, StoredRun},
    tool::{BoxFuture, ToolContext},
};

/// A run that is over, or suspended.
pub(super) struct Driven {
    pub(super) outcome: RunOutcome,
    /// The panic of the driver, if it is no failure of the run: where a timer is needed and tokio has none,
    /// for example.
    pub(super) panic: Option<Payload>,
}

/// Performs a run from its start to its end. The token of the context cancels it.
///
/// What is on the stack while a run is driven is kept small, here and below: the run of a sub-agent is polled within that of
/// its call, and so on. So the parts that come before and after are futures of their own, which are made elsewhere.
pub(super) async fn drive(
    inner: Arc<Inner>,
    context: ToolContext,
    begin: (Begin, InputChecker),
    events: EventQueue,
    inbox: OpenInbox,
) -> Driven {
    match Driver::open(&inner, context, begin, events, inbox).await {
        Ok((mut driver, resumed)) => {
            let ended = driver.ended(resumed).await;
            driver.close(ended).await
        }
        Err(lost) => *lost,
    }
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
    journal: Journal,
    listener: Listener,
    requester: Requester<'a>,
    calls: CallRunner<'a>,
    /// Says above whether the run waits for people.
    waits: Waits,
    /// The checks of what the user says.
    checker: InputChecker,
    /// Messages whose check was not over when the run was to stop.
    unread: Vec<UserMessage>,
    /// A run that never waits must not keep a cancel or other tasks waiting.
    budget: Budget,
    /// How long a run waits for people before it is suspended.
    suspend_after: Duration,
}

/// What a driver has waited for.
enum Next {
    Happened(Happened),
    /// The time of a call is over that waits.
    Expired(CallId),
    /// There is an inbox item, or the run has to stop.
    Said,
}

impl Driven {
    fn of(outcome: RunOutcome) -> Self {
        Self {
            outcome,
            panic: None,
        }
    }
}

/// A driver of a run that begins, or that goes on with what is stored of it.
type Begun<'a> = (Box<Driver<'a>>, Option<Box<Resumed>>);

impl<'a> Driver<'a> {
    /// Opens a run, or says how it has ended before anything of it was done.
    fn open(
        inner: &'a Arc<Inner>,
        context: ToolContext,
        (begin, checker): (Begin, InputChecker),
        events: EventQueue,
        inbox: OpenInbox,
    ) -> BoxFuture<'a, Result<Begun<'a>, Box<Driven>>> {
        Box::pin(async move {
            let may_suspend = inner.suspend_after.is_some() || inner.may_suspend();
            let mut opened = match Opened::of(inner, begin, &checker, &context).await {
                Ok(opened) => opened,
                Err(lost) => {
                    let mut end = Driven::of(*lost);
                    end.outcome.unread.extend(inbox.0.close());
                    return Err(Box::new(end));
                }
            };
            let (resumed, answer) = (opened.resumed.take(), opened.answer.take());
            let cancellation = context.cancellation();
            let context = context.with_cancellation(cancellation.child());
            let node = RunNode::of(
                &context,
                &opened.run,
                &inner.calls,
                (events.clone(), inbox.0.clone()),
            );
            let node = kept(node, opened.keeper.as_ref(), resumed.is_some());
            node.note(&opened.run);
            let context = context.with_extension(node.clone());
            let context = context.for_run(opened.run.id().as_str(), &inner.calls.extensions);
            let grace = node.grace();
            let driver = Self {
                waits: node.clone().waits(),
                calls: CallRunner::new(inner, context, node, inbox.0.clone()),
                requester: Requester::new(inner, &opened.run, answer),
                listener: Listener::new(inbox, cancellation, &opened.run, grace),
                journal: Journal::of(opened, events, may_suspend),
                checker,
                unread: Vec::new(),
                budget: Budget::new(),
                suspend_after: inner.suspend_after.unwrap_or_default(),
            };
            Ok((Box::new(driver), resumed))
        })
    }

    /// Leaves what is to be left of a run that has ended, and gives its outcome.
    fn close(
        mut self: Box<Self>,
        ended: Result<Option<StoredRun>, Payload>,
    ) -> BoxFuture<'a, Driven> {
        Box::pin(async move {
            if let Err(panic) = &ended {
                self.journal.panicked(panic);
            }
            // What suspended runs below have spent counts with the results that their calls have got.
            let node = self.calls.node();
            node.note(self.journal.run());
            let mut late = std::mem::take(&mut self.unread);
            late.extend(self.listener.inbox().close());
            // A panic of the store takes nothing that the run has done with it.
            if self.listener.is_cancelled() {
                let left = AssertUnwindSafe(self.journal.leave_cancel());
                let _ = left.catch_unwind().await;
            }
            let unheard = AssertUnwindSafe(self.journal.unheard(&mut self.listener));
            let unheard = unheard.catch_unwind().await.unwrap_or_default();
            if node.is_top() && node.has_left() {
                let left = AssertUnwindSafe(self.journal.leave_below(&mut self.listener));
                let _ = left.catch_unwind().await;
            }
            let mut end = self.journal.end(ended);
            end.outcome.unread.extend(late);
            end.outcome.unread.extend(unheard);
            end
        })
    }
}

impl Driver<'_> {
    /// Drives the run to its end, until it is suspended, or until it is lost.
    fn ended(
        &mut self,
        resumed: Option<Box<Resumed>>,
    ) -> BoxFuture<'_, Result<Option<StoredRun>, Payload>> {
        Box::pin(async move {
            let driven = AssertUnwindSafe(self.unless_lost(resumed))
                .catch_unwind()
                .await;
            self.calls.abort();
            Ok(driven?.unwrap_or_else(|lost| {
                self.journal.lose(lost);
                None
            }))
        })
    }

    /// Drives the run to its end, or until it is suspended, or gives the error that says that it is lost.
    async fn unless_lost(
        &mut self,
        resumed: Option<Box<Resumed>>,
    ) -> Result<Option<StoredRun>, StoreError> {
        let watch = self.journal.watch();
        let (inbox, cancellation) = (
            self.listener.inbox().clone(),
            self.listener.cancellation().clone(),
        );
        let finish = self.written_to_end(resumed);
        match watch {
            None => Ok(finish.await),
            Some(watch) => watch.unless_lost(inbox, cancellation, finish).await,
        }
    }

    /// Drives the run to its end, or until it is suspended, and has all written that it recorded.
    fn written_to_end(
        &mut self,
        resumed: Option<Box<Resumed>>,
    ) -> BoxFuture<'_, Option<StoredRun>> {
        Box::pin(async move {
            let end = self.finish(resumed).await;
            self.calls.abort();
            self.write().await;
            end
        })
    }

    /// Drives the run to its end, or until it is suspended.
    async fn finish(&mut self, resumed: Option<Box<Resumed>>) -> Option<StoredRun> {
        if let Some(resumed) = resumed {
            self.go_on(*resumed).await;
        }
        loop {
            self.budget.step().await;
            // What was recorded is written with what follows from it.
            self.journal.events().read().await;
            if self.journal.is_lost() {
                return None;
            }
            if let Some(signal) = self.listener.interruption() {
                self.interrupt(signal).await;
            }
            if let Some(time) = self.listener.time_to_note(self.journal.run()) {
                self.journal.signal(Signal::TimeUsed(time));
            }
            self.hear().await;
            // No call starts any more once running calls were notified to stop. A summary may
            // follow.
            if !self.calls.is_closing() || self.calls.are_over() {
                self.act().await;
            }
            let run = self.journal.run();
            if run.is_over() {
                return None;
            }
            if self.calls.is_idle() && !run.waiting_for_others().is_empty() {
                if self.is_suspended().await
                    && let Some(stored) = self.suspend().await
                {
                    return Some(stored);
                }
                continue;
            }
            if self.calls.is_idle() || self.calls.are_over() {
                continue;
            }
            // The calls that have just started are in the log of the reader before they run, apart from reads of a run
            // that is kept.
            if !self.settled_beside().await || self.listener.interruption().is_some() {
                continue;
            }
            // A call resumes whose run below got an item.
            if self.calls.take_woken() {
                continue;
            }
            match self.next().await {
                Next::Said => {}
                Next::Expired(id) => self.expire(id).await,
                Next::Happened(happened) => {
                    // Earlier items are taken before it: the last call ends its round.
                    self.hear().await;
                    self.happened(happened).await;
                    if self.journal.keeper().is_some() {
                        self.take_ready().await;
                    }
                }
            }
        }
    }

    /// Waits for what happens next. Once a run has handled its cancel, only its calls are waited for. The time of the run
    /// stands still while only people are waited for, here and below.
    async fn next(&mut self) -> Next {
        let (calls, listener) = (&mut self.calls, &mut self.listener);
        let next = poll_fn(|cx| {
            listener.count_time();
            if let Poll::Ready(happened) = calls.poll_next(cx) {
                return Poll::Ready(Next::Happened(happened));
            }
            if listener.poll_said(cx).is_ready() {
                return Poll::Ready(Next::Said);
            }
            if let Poll::Ready(id) = calls.poll_expired(cx) {
                return Poll::Ready(Next::Expired(id));
            }
            let for_people = calls.wait_for_people(cx);
            self.waits.set(for_people);
            if for_people {
                listener.pause_time();
                return Poll::Pending;
            }
            listener.poll_time_up(cx).map(|()| Next::Said)
        });
        let next = next.await;
        self.waits.set(false);
        next
    }

    /// Does all that may be done now. A call that has to wait holds no place, so that another may start
    /// in its stead: what may be done is asked until it is nothing. After a response the reader comes
    /// first.
    async fn act(&mut self) {
        loop {
            let run = self.journal.run();
            let sequence = run.sequence();
            if let Some(error) = run.model_delay() {
                let hint = error.retry_after;
                if self.may_ask().await {
                    self.wait_for_model(hint).await;
                }
                return;
            }
            self.calls.follow(run);
            for action in run.poll() {
                self.budget.step().await;
                match action {
                    Action::CallModel(call) => {
                        if self.may_ask().await {
                            self.call_model(call).await;
                            self.calls.node().note(self.journal.run());
                        }
                        return;
                    }
                    Action::PlanRequest => {
                        if self.may_ask().await {
                            self.plan_request().await;
                        }
                        return;
                    }
                    Action::StartCall(id) => self.calls.start(&mut self.journal, id),
                    Action::AskApproval(id) => self.calls.ask_approval(&mut self.journal, id),
                    Action::AskAnswer(id) => self.calls.ask_answer(&mut self.journal, id),
                    // Running calls were notified, and end within their grace or are stopped then.
                    Action::CancelCall(_) => {}
                }
            }
            if self.journal.run().sequence() == sequence {
                return;
            }
        }
    }

    /// Returns true if the run was not stopped before its next request, and no limit is reached that it shares with the
    /// runs above. If messages are read for the request, the answer is no: with them another request may come first, such as
    /// one for a summary.
    async fn may_ask(&mut self) -> bool {
        // Refused or stopped calls are in the reader's log by then, and the reader may have sent an item.
        if !self.settled().await {
            return false;
        }
        self.hear().await;
        if self.journal.run().ends_after_round() {
            self.stop(Signal::Cancel);
        }
        let run = self.journal.run();
        if self.listener.interruption().is_some() || run.is_over() {
            return false;
        }
        let limit = self.calls.node().shared_limit();
        if let Some(limit) = limit.filter(|_| run.is_open_to_limits()) {
            self.journal.signal(Signal::SharedLimitReached(limit));
            return false;
        }
        let sequence = run.sequence();
        self.journal.signal(Signal::RequestBegins);
        self.journal.run().sequence() == sequence
    }
}

pub(super) fn new_run_id() -> RunId {
    RunId::new(random::new_id())
}
