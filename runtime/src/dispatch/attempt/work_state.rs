//! The state of a tool's own work, in whichever task or thread it runs.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

use futures_util::task::AtomicWaker;

use crate::dispatch::Outcome;
use toolwright_core::{ToolError, tool::BoxFuture};

/// The state of a tool's own work, wherever it runs: in a task, on the thread pool, or where a middleware has moved
/// it. It is entered before each piece of the work, so that what is stopped between two of them does nothing more.
#[derive(Debug, Default)]
pub(crate) struct WorkState {
    state: AtomicU8,
    /// The task that polls the work.
    worker: AtomicWaker,
    /// The task that waits for the end of the work.
    waiting: AtomicWaker,
}

/// It has not started.
const NEW: u8 = 0;
/// It has started, and no thread is in it.
const RESTING: u8 = 1;
/// A thread is in it.
const BUSY: u8 = 2;
/// It has ended, or was stopped.
const OVER: u8 = 3;
/// It was stopped before it started.
const NEVER: u8 = 4;

/// The result of stopping the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// It never starts.
    BeforeStart,
    /// It is over.
    Yes,
    /// A thread is in it.
    No,
}

impl WorkState {
    /// Makes sure that the work does no more, if no thread is in it.
    pub(crate) fn stop(&self) -> Stopped {
        let stop = |state| match state {
            NEW => Some(NEVER),
            RESTING => Some(OVER),
            _ => None,
        };
        match self.state.fetch_update(SeqCst, SeqCst, stop) {
            Ok(before) => {
                self.worker.wake();
                self.waiting.wake();
                match before {
                    NEW => Stopped::BeforeStart,
                    _ => Stopped::Yes,
                }
            }
            Err(BUSY) => Stopped::No,
            Err(NEVER) => Stopped::BeforeStart,
            Err(_) => Stopped::Yes,
        }
    }

    /// Returns true if the work has started and not ended.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.state.load(SeqCst), RESTING | BUSY)
    }

    /// A piece of the work, until what is given is dropped; `None` if there is to be none.
    pub(crate) fn enter(&self) -> Option<Piece<'_>> {
        let enter = |state| matches!(state, NEW | RESTING).then_some(BUSY);
        let before = self.state.fetch_update(SeqCst, SeqCst, enter).ok()?;
        Some(Piece {
            state: self,
            after: OVER,
            before,
        })
    }

    fn leave(&self, after: u8) {
        self.state.store(after, SeqCst);
        if after == OVER {
            self.waiting.wake();
        }
    }
}

/// A thread is in the work. When it leaves, by a panic for example, the work is over, unless it says
/// otherwise.
pub(crate) struct Piece<'a> {
    state: &'a WorkState,
    before: u8,
    after: u8,
}

impl Piece<'_> {
    /// There is more to come.
    fn rest(mut self) {
        self.after = RESTING;
    }

    /// It was only the way to the work.
    pub(crate) fn undo(mut self) {
        self.after = self.before;
    }
}

impl Drop for Piece<'_> {
    fn drop(&mut self) {
        self.state.leave(self.after);
    }
}

/// Work that is polled, each time within its state.
pub(crate) struct Tracked<'a> {
    work: BoxFuture<'a, Outcome>,
    state: Arc<WorkState>,
}

impl<'a> Tracked<'a> {
    pub(crate) fn new(work: BoxFuture<'a, Outcome>, state: Arc<WorkState>) -> Self {
        Self { work, state }
    }
}

impl Future for Tracked<'_> {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let this = self.get_mut();
        this.state.worker.register(cx.waker());
        let Some(piece) = this.state.enter() else {
            return Poll::Ready(Err(stopped()));
        };
        let polled = Pin::new(&mut this.work).poll(cx);
        if polled.is_pending() {
            piece.rest();
        }
        polled
    }
}

impl Drop for Tracked<'_> {
    fn drop(&mut self) {
        self.state.stop();
    }
}

/// Returns the error of work that was stopped and is polled again. The code that stopped it has already answered the
/// call.
pub(crate) fn stopped() -> ToolError {
    ToolError::cancelled("the call was stopped")
}

/// Work that runs on after its call has its result, until it ends.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub(crate) struct StillRunning(Arc<WorkState>);

impl StillRunning {
    /// Returns the work that is left; `None` if it is over.
    pub(crate) fn of(state: Arc<WorkState>) -> Option<Self> {
        state.is_running().then_some(Self(state))
    }
}

impl Future for StillRunning {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // Looked at after the waker is in place: an end that comes now finds it.
        self.0.waiting.register(cx.waker());
        if self.0.is_running() {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rests_or_has_not_started_is_stopped_for_good() {
        let state = WorkState::default();
        assert_eq!(state.stop(), Stopped::BeforeStart);
        assert!(state.enter().is_none() && !state.is_running());
        assert_eq!(state.stop(), Stopped::BeforeStart, "that stays so");

        let state = WorkState::default();
        state.enter().expect("may start").undo();
        assert!(!state.is_running(), "it was only the way to it");
        let piece = state.enter().expect("may start");
        assert_eq!(state.stop(), Stopped::No);
        piece.rest();
        assert!(state.is_running());
        assert_eq!(state.stop(), Stopped::Yes);
        assert!(state.enter().is_none() && !state.is_running());
    }

    #[test]
    fn it_is_over_when_its_last_piece_is() {
        let state = Arc::new(WorkState::default());
        drop(state.enter());
        assert!(StillRunning::of(Arc::clone(&state)).is_none());
        assert_eq!(state.stop(), Stopped::Yes, "it may have taken effect");
    }
}
