//! The calls of a batch or a run that run, and the time that they have to end.

use std::{
    future::Future,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::time::Instant;

use super::{CallSet, Ending, Timer, after};

/// The calls that run. When they are to stop, they have a grace to end by themselves; what runs on is aborted then.
pub(crate) struct RunningCalls<K, F: Future> {
    calls: CallSet<K, F>,
    ending: Ending,
    grace: Grace,
    timer: Timer,
}

/// The time that running calls may still take when they are to stop.
#[derive(Clone, Copy)]
enum Grace {
    /// There is none, or it is over.
    None,
    /// It starts at the next poll, so that a slow reader of events does not use it up.
    Given(Duration),
    Until(Instant),
}

impl<K: Copy + Unpin, F: Future + Unpin> RunningCalls<K, F> {
    /// No calls yet. The end is that of the attempts that are pushed.
    pub(crate) fn new(ending: Ending) -> Self {
        Self {
            calls: CallSet::new(),
            ending,
            grace: Grace::None,
            timer: Timer::default(),
        }
    }

    /// Returns true if no call runs, and the end of each was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// The calls whose end was not given.
    pub(crate) fn keys(&self) -> impl Iterator<Item = K> {
        self.calls.keys()
    }

    /// Returns the end of the attempts of the calls.
    pub(crate) fn ending(&self) -> &Ending {
        &self.ending
    }

    /// Adds a call, which runs when the calls are polled next.
    pub(crate) fn push(&mut self, key: K, work: F) {
        self.calls.push(key, work);
    }

    /// Runs a call at once, and adds it if it waits. Otherwise it gives its end.
    pub(crate) fn start(&mut self, key: K, work: F, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.calls.start(key, work, cx)
    }

    /// Lets the calls run that were woken. Their ends are given later.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        self.calls.poll(cx);
    }

    /// The next call that has ended, and with what. Pending for ever while there is none.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<(K, F::Output)> {
        self.calls.poll_next(cx)
    }

    /// Gives the calls this time to end. With none, they are polled once more and are over then.
    pub(crate) fn give_grace(&mut self, grace: Duration) {
        if grace.is_zero() {
            self.abort();
        } else {
            self.grace = Grace::Given(grace);
        }
    }

    /// Aborts the calls when their grace is over. Ready when that has just happened. It is polled after the calls, since
    /// the grace begins when they were polled.
    pub(crate) fn poll_grace(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let end = match self.grace {
            Grace::None => return Poll::Pending,
            Grace::Given(grace) => after(grace),
            Grace::Until(end) => end,
        };
        self.grace = Grace::Until(end);
        ready!(self.timer.poll_at(end, cx));
        self.abort();
        Poll::Ready(())
    }

    fn abort(&mut self) {
        self.grace = Grace::None;
        self.ending.abort();
    }
}
