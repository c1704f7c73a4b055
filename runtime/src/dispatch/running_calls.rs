//! The calls of a batch or a run that run, and the time that they have to end.

use std::{
    future::Future,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::time::Instant;

use super::{AbortSignal, PollSet, Timer, after};

/// The calls that run. When they are to stop, they have a grace to end by themselves; what runs on is aborted then.
pub(crate) struct RunningCalls<'a, K, F: Future> {
    calls: PollSet<K, F>,
    abort: AbortSignal<'a>,
    grace: Grace,
    timer: Timer,
}

/// The time that running calls may still take when they are to stop.
#[derive(Clone, Copy)]
enum Grace {
    /// There is none, or it is over.
    None,
    /// It begins when they are polled next: whoever reads the events may take a while until then.
    Given(Duration),
    Until(Instant),
}

impl<'a, K: Copy, F: Future> RunningCalls<'a, K, F> {
    /// No calls yet. The signal is that of the attempts that are pushed.
    pub(crate) fn new(abort: AbortSignal<'a>) -> Self {
        Self {
            calls: PollSet::new(),
            abort,
            grace: Grace::None,
            timer: Timer::default(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the signal that aborts the calls.
    pub(crate) fn abort_signal(&self) -> &AbortSignal<'a> {
        &self.abort
    }

    /// Takes note that the task has a turn: see [`PollSet::begin_turn`].
    pub(crate) fn begin_turn(&mut self) {
        self.calls.begin_turn();
    }

    /// Adds a call that was polled: see [`PollSet::adopt`].
    pub(crate) fn adopt(&mut self, key: K, work: F) {
        self.calls.adopt(key, work);
    }

    pub(crate) fn push(&mut self, key: K, work: F) {
        self.calls.push(key, work);
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
        self.abort.abort();
        self.calls.wake_all();
    }
}
