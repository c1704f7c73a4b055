//! Has written what a run records, and suspends it.

use std::{
    future::poll_fn,
    task::{Context, Poll},
};

use super::Driver;
use crate::dispatch::{Timer, after};
use toolwright_core::{
    run::{Signal, StoredRun},
    tool::BoxFuture,
};

impl Driver<'_> {
    /// Waits until what was recorded is written, where the run is kept, and until the reader has it. It gives `false` if
    /// the store did not take it: nothing more is to be done then.
    pub(super) async fn settled(&mut self) -> bool {
        self.write().await;
        self.journal.events().read().await;
        !self.journal.is_lost()
    }

    /// As [`settled`](Self::settled). Calls run meanwhile whose start is written, and those that only read; the others
    /// start then.
    pub(super) async fn settled_beside(&mut self) -> bool {
        self.write_beside(true).await;
        self.journal.events().read().await;
        let is_settled = !self.journal.is_lost();
        if is_settled {
            self.calls.written();
        }
        is_settled
    }

    /// Writes what was recorded, and gives it to the reader.
    pub(super) async fn write(&mut self) {
        self.write_beside(false).await;
    }

    async fn write_beside(&mut self, runs_calls: bool) {
        if !self.journal.is_lost() {
            let is_late = self.journal.run().is_late();
            let passed_on = self.calls.pass_on(&mut self.journal);
            if let Err(error) = self.listener.answer(is_late, passed_on).await {
                self.journal.lose(error);
            }
        }
        if !self.journal.is_to_write() {
            return;
        }
        let (calls, listener) = (&mut self.calls, &mut self.listener);
        let pending = calls.pending_calls(self.journal.run());
        let beside = |cx: &mut Context<'_>| {
            if runs_calls {
                calls.poll_beside(cx);
            }
        };
        self.journal.write(pending, listener, beside).await;
    }

    /// Returns true if the run is to be suspended: nothing else is in progress, and no item came during the wait.
    pub(super) async fn is_suspended(&mut self) -> bool {
        // Whoever reads the events may decide at once.
        if !self.settled().await {
            return false;
        }
        // A run below may have got an item, and resumes.
        if self.journal.run().waiting_for_others().is_empty() {
            return false;
        }
        let wait = self.suspend_after;
        let end = (!wait.is_zero()).then(|| after(wait));
        let mut timer = Timer::default();
        let (listener, calls) = (&mut self.listener, &mut self.calls);
        let mut expired = None;
        let is_over = poll_fn(|cx| {
            listener.count_time();
            if listener.poll_said(cx).is_ready() || listener.poll_time_up(cx).is_ready() {
                return Poll::Ready(false);
            }
            let Some(end) = end else {
                return Poll::Ready(true);
            };
            if let Poll::Ready(id) = calls.poll_expired(cx) {
                expired = Some(id);
                return Poll::Ready(false);
            }
            let polled = timer.poll_at(end, cx).map(|()| true);
            if polled.is_pending() {
                listener.pause_time();
                self.waits.set(true);
            }
            polled
        });
        let is_over = is_over.await;
        self.waits.set(false);
        if let Some(id) = expired {
            self.expire(id).await;
        }
        // From here on, a sender gets an error that the item is too late.
        is_over && self.listener.inbox().close_if_silent()
    }

    /// Suspends the run, and gives it as it is stored. If it is in a store and its inbox has a new item, it continues.
    pub(super) fn suspend(&mut self) -> BoxFuture<'_, Option<StoredRun>> {
        Box::pin(async move {
            if let Some(time) = self.listener.time_to_store(self.journal.run()) {
                self.journal.signal(Signal::TimeUsed(time));
            }
            let pending = self.calls.pending_calls(self.journal.run());
            let stored = self.journal.stored(pending.clone());
            // The reader gets the time that the run has used as well.
            self.write().await;
            match self.journal.suspend(pending, &mut self.listener).await {
                Ok(true) => return Some(stored),
                Ok(false) => {}
                Err(error) => {
                    self.journal.lose(error);
                    return None;
                }
            }
            self.journal.go_on(stored);
            self.listener.inbox().reopen();
            self.calls.expect_all(self.journal.run());
            self.hear_store().await;
            None
        })
    }
}
