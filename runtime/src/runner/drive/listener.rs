//! Listens for inbox items, a cancel, and the end of the run's time.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};

use futures_util::future::{Either, select};

use crate::{
    runner::{
        control::{Inbox, OpenInbox},
        keeper::until_given_up,
        time_limit::RunTime,
    },
    store::InboxItem,
};
use toolwright_core::{
    run::{Interruption, Limits, Run, Signal, StoreError},
    tool::{CancellationToken, Cancelled},
};

/// The part of a driver that listens.
pub(super) struct Listener {
    inbox: OpenInbox,
    cancellation: CancellationToken,
    cancelled: Cancelled,
    /// True if the run has handled its cancel.
    is_told: bool,
    time: RunTime,
    /// The time that a run has to end which is to stop.
    grace: Duration,
}

impl Listener {
    pub(super) fn new(
        inbox: OpenInbox,
        cancellation: CancellationToken,
        run: &Run,
        grace: Duration,
    ) -> Self {
        Self {
            inbox,
            cancelled: cancellation.cancelled(),
            cancellation,
            is_told: false,
            time: RunTime::of(run),
            grace,
        }
    }

    /// What is said to the run.
    pub(super) fn inbox(&self) -> &Inbox {
        &self.inbox.0
    }

    /// The token that cancels the run.
    pub(super) fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// The oldest item of the inbox. A message to a cancelled run comes too late, and is reported as unread.
    pub(super) fn take(&self) -> Option<(Option<u64>, InboxItem)> {
        if self.is_told {
            return None;
        }
        self.inbox.0.take()
    }

    /// The signal that interrupts the run, if it was not sent yet.
    pub(super) fn interruption(&self) -> Option<Signal> {
        if self.is_told {
            None
        } else if self.is_cancelled() {
            Some(Signal::Cancel)
        } else {
            self.time.is_up().then_some(Signal::TimeLimitReached)
        }
    }

    /// The signal that the run is cancelled, or that its time is up.
    pub(super) fn told(&mut self, signal: &Signal, limits: &Limits) {
        match signal {
            Signal::Cancel
            | Signal::ResponseBrokenOff {
                by: Interruption::Cancel,
                ..
            } => self.is_told = true,
            _ => self.time.told(limits),
        }
    }

    /// Returns `Ready` when there is an item, or when the run is cancelled and has not handled that yet.
    pub(super) fn poll_said(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_told {
            return Poll::Pending;
        }
        if self.inbox.0.poll_filled(cx).is_ready() {
            return Poll::Ready(());
        }
        Pin::new(&mut self.cancelled).poll(cx)
    }

    /// Returns `Ready` when the time is up, unless the run has handled a cancel.
    pub(super) fn poll_time_up(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_told {
            return Poll::Pending;
        }
        self.time.poll_up(cx)
    }

    fn poll_interrupted(&mut self, cx: &mut Context<'_>) -> Poll<Signal> {
        if Pin::new(&mut self.cancelled).poll(cx).is_ready() {
            return Poll::Ready(Signal::Cancel);
        }
        self.time.poll_up(cx).map(|()| Signal::TimeLimitReached)
    }

    /// Does work unless the run is to stop before it is done.
    pub(super) async fn unless_interrupted<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<T, Signal> {
        let interrupted = pin!(poll_fn(|cx| self.poll_interrupted(cx)));
        match select(pin!(work), interrupted).await {
            Either::Left((done, _)) => Ok(done),
            Either::Right((signal, _)) => Err(signal),
        }
    }

    /// Waits for this, unless an item comes before. It gives `None` then.
    pub(super) async fn unless_said<T>(
        &mut self,
        wait: impl Future<Output = T>,
    ) -> Option<Result<T, Signal>> {
        let inbox = self.inbox.0.clone();
        let said = poll_fn(|cx| inbox.poll_filled(cx));
        match select(pin!(self.unless_interrupted(wait)), said).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// The answer of the store, which a run that is to stop waits for as long as its calls have to end. The time of the run
    /// may have been up before.
    pub(super) async fn answer<T>(
        &mut self,
        is_late: bool,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let grace = self.grace;
        let is_to_stop = poll_fn(|cx| {
            if is_late {
                return Poll::Ready(());
            }
            self.poll_interrupted(cx).map(drop)
        });
        until_given_up(answer, is_to_stop, grace).await
    }

    /// The time that the run has used, if that is to be recorded by now.
    pub(super) fn time_to_note(&self, run: &Run) -> Option<Duration> {
        self.time.to_note(run)
    }

    /// The time that the run has used, if a run that is suspended is to record it.
    pub(super) fn time_to_store(&self, run: &Run) -> Option<Duration> {
        self.time.to_store(run)
    }

    /// The time of the run stands still: only people are waited for.
    pub(super) fn pause_time(&mut self) {
        self.time.pause();
    }

    /// The time of the run goes on.
    pub(super) fn count_time(&mut self) {
        self.time.go_on();
    }

    /// The summary begins, if the time of the run is up.
    pub(super) fn begin_summary(&mut self) {
        self.time.begin_summary();
    }
}
