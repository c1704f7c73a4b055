//! A run that is driven by whoever reads its events.

use std::{
    panic::resume_unwind,
    sync::Arc,
    task::{Context, Poll, ready},
};

use crate::{
    budget::Budget,
    dispatch::OutputPolicy,
    runner::{
        Inner, RunEvent,
        begin::Begin,
        control::OpenInbox,
        drive::{Driven, drive},
        input_check::InputChecker,
        live::Publisher,
        queue::{EventQueue, Unread, redacted},
        seen_calls::SeenCalls,
    },
};
use toolwright_core::{
    run::RunOutcome,
    tool::{BoxFuture, ToolContext},
};

/// The driver of a run, its events on their way to the reader, and its outcome.
pub(super) struct Running {
    driver: Option<BoxFuture<'static, Driven>>,
    events: EventQueue,
    /// Events that were taken out of the queue. The driver is polled when all of them are read.
    taken: Unread,
    output: OutputPolicy,
    /// A reader of a run that never waits must not keep other tasks waiting.
    budget: Budget,
    outcome: Option<RunOutcome>,
    seen: SeenCalls,
    /// The way to those who read along, of a run that is kept.
    along: Option<Publisher>,
}

impl Running {
    /// Begins a run. The token of the context cancels it.
    pub(super) fn new(
        (inner, context): (Arc<Inner>, ToolContext),
        begin: Begin,
        checker: InputChecker,
        inbox: OpenInbox,
    ) -> Self {
        let events = EventQueue::default();
        let output = inner.calls.output.clone();
        let mut seen = SeenCalls::above(events.seen_below().clone());
        if let Begin::Resumed(resumed) = &begin {
            let read = &resumed.log[..resumed.log.len() - resumed.missing];
            for record in read {
                seen.read(record);
            }
        }
        let along = begin.publish(&inner.live);
        let driver = drive(inner, context, (begin, checker), events.clone(), inbox);
        Self {
            driver: Some(Box::pin(driver)),
            events,
            taken: Unread::default(),
            output,
            budget: Budget::new(),
            outcome: None,
            seen,
            along,
        }
    }

    /// Returns true if the run is over, and its outcome is still here.
    pub(super) fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Takes the outcome of a run whose events were read to the end.
    pub(super) fn take_outcome(&mut self) -> RunOutcome {
        let outcome = self.outcome.take();
        outcome.expect("the stream ends when the outcome is there, and only this takes it")
    }

    /// The calls that are known.
    pub(super) fn seen(&self) -> &SeenCalls {
        &self.seen
    }

    /// Declares that the events are not read any more.
    pub(super) fn read_no_more(&mut self) {
        if self.along.is_some() {
            return self.events.pass_on();
        }
        self.events.close();
        self.taken.clear();
    }

    /// Declares that the reader of the events can discard text.
    pub(super) fn pass_on(&self) {
        self.events.pass_on();
    }

    /// The next event, which those get as well who read along.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<RunEvent>> {
        let event = ready!(self.poll_event(cx));
        match (&self.along, &event) {
            (Some(along), Some(event)) => along.publish(event),
            (Some(_), None) => self.along = None,
            (None, _) => {}
        }
        Poll::Ready(event)
    }

    /// Polls for the next event.
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<RunEvent>> {
        ready!(self.budget.poll_step(cx));
        // An event is large and a piece of a response is not: it is moved alone.
        if let Some(delta) = self.taken.pop_delta() {
            return Poll::Ready(Some(RunEvent::Delta(delta)));
        }
        if let Some(event) = self.happened() {
            return Poll::Ready(Some(event));
        }
        // The run advances before updates of its calls are read, which may come without end.
        if let Some(mut driver) = self.driver.take() {
            match driver.as_mut().poll(cx) {
                Poll::Ready(Driven { outcome, panic }) => {
                    self.outcome = Some(outcome);
                    if let Some(panic) = panic {
                        resume_unwind(panic);
                    }
                }
                Poll::Pending => self.driver = Some(driver),
            }
        }
        if let Some(event) = self.happened() {
            return Poll::Ready(Some(event));
        }
        if self.driver.is_none() {
            return Poll::Ready(None);
        }
        let update = ready!(self.events.poll_update(cx));
        // What the calls wait for has its turn before the next.
        self.budget.spend();
        if let Some(event) = redacted(update, &self.output) {
            return Poll::Ready(Some(event));
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// The oldest unread event, apart from updates of running calls.
    fn happened(&mut self) -> Option<RunEvent> {
        if self.taken.is_empty() {
            self.events.take(&mut self.taken);
        }
        loop {
            match self.taken.pop()? {
                RunEvent::Recorded { sequence, record } => {
                    self.seen.read(&record);
                    return Some(RunEvent::Recorded { sequence, record });
                }
                event @ RunEvent::Update { .. } => {
                    if let Some(event) = redacted(event, &self.output) {
                        return Some(event);
                    }
                }
                event => return Some(event),
            }
        }
    }
}
