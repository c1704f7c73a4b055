//! Writes what a run records, where it is kept in a store.

use std::{
    future::{Future, poll_fn},
    panic::AssertUnwindSafe,
    pin::{Pin, pin},
    task::Poll,
};

use futures_util::FutureExt;

use super::Driver;
use crate::runner::{
    RunEvent,
    begin::Resumed,
    calls::Calls,
    keeper::{Keeper, leave_cancel, until_given_up},
    time_limit::RunTime,
};
use toolwright_core::{
    UserMessage,
    driver::Payload,
    run::{Failure, Run, RunOutcome, StoreError, StoredRun},
    tool::CancellationToken,
};

impl Driver<'_> {
    /// Drives the run to its end, until it is suspended, or until it is lost.
    pub(super) async fn ended(
        &mut self,
        resumed: Option<Box<Resumed>>,
    ) -> Result<Option<StoredRun>, Payload> {
        let watch = self.keeper.as_ref().map(Keeper::watch);
        let (inbox, cancellation) = (self.inbox.0.clone(), self.cancellation.clone());
        let finish = async {
            let end = self.finish(resumed).await;
            self.write().await;
            end
        };
        let finish = AssertUnwindSafe(finish).catch_unwind();
        let Some(watch) = watch else {
            return finish.await;
        };
        let lost = match watch.unless_lost(inbox, cancellation, finish).await {
            Ok(ended) => return ended,
            Err(lost) => lost,
        };
        self.lost = Some(lost);
        if let Some(keeper) = self
            .keeper
            .as_ref()
            .filter(|_| self.cancellation.is_cancelled())
        {
            leave_cancel(keeper).await;
        }
        Ok(None)
    }

    /// Hears what the inbox of the run has now.
    pub(super) async fn listen(&mut self, calls: &mut Calls<'_>) {
        let Some(keeper) = &self.keeper else {
            return;
        };
        match keeper.inbox().await {
            Ok(items) => items.into_iter().for_each(|received| {
                self.receive(Some(calls), Some(received.place), received.item);
            }),
            Err(error) => self.lost = Some(error),
        }
    }

    /// The messages in the inbox of a run that is over, which came too late.
    pub(super) async fn unheard(&self) -> Vec<UserMessage> {
        match &self.keeper {
            Some(keeper) if self.run.is_over() && self.lost.is_none() => keeper.unheard().await,
            _ => Vec::new(),
        }
    }

    /// Gives up what is left of the runs of sub-agents, when the run at their top is over. An error is nothing that the run
    /// could be told: what stays is not resumed by itself.
    pub(super) async fn leave_below(&self) {
        let is_over =
            self.run.is_over() && self.lost.is_none() && self.node.is_top() && self.node.has_left();
        if let Some(keeper) = self.keeper.as_ref().filter(|_| is_over) {
            let _ = keeper.around().abandon_below(self.run.id()).await;
        }
    }

    /// The outcome of a run that its store has lost.
    pub(super) fn lost_outcome(&mut self) -> RunOutcome {
        let error = self.lost.take();
        let error = error.expect("whoever asks has looked");
        self.run.lost(Failure::Store(error))
    }

    /// Waits until what was recorded is written, where the run is kept, and until the reader has it. It gives `false` if
    /// the store did not take it: nothing more is to be done then.
    pub(super) async fn settled(&mut self) -> bool {
        self.write().await;
        self.events.read().await;
        self.lost.is_none()
    }

    /// As [`settled`](Self::settled). Calls run meanwhile whose start is written, and those that only read; the others
    /// start then.
    pub(super) async fn settled_beside(&mut self, calls: &mut Calls<'_>) -> bool {
        self.write_beside(Some(calls)).await;
        self.events.read().await;
        let is_settled = self.lost.is_none();
        if is_settled {
            calls.written();
        }
        is_settled
    }

    /// Writes what was recorded, and gives it to the reader.
    pub(super) async fn write(&mut self) {
        self.write_beside(None).await;
    }

    async fn write_beside(&mut self, mut calls: Option<&mut Calls<'_>>) {
        if self.lost.is_none()
            && let Err(error) = self.pass_on().await
        {
            self.lost = Some(error);
        }
        let is_settled = self.keeper.as_ref().is_none_or(Keeper::is_settled);
        if is_settled || self.lost.is_some() {
            return;
        }
        let pending = self.pending_calls();
        let Some(keeper) = &mut self.keeper else {
            return;
        };
        let stop = is_to_stop(&self.run, self.cancellation, &mut self.time);
        let written = {
            let mut writing = pin!(keeper.write(&self.run, pending));
            let writing = poll_fn(|cx| {
                let written = writing.as_mut().poll(cx);
                if let (Poll::Pending, Some(calls)) = (&written, &mut calls) {
                    calls.poll_beside(cx);
                }
                written
            });
            until_given_up(writing, stop, self.node.grace()).await
        };
        match written {
            Ok((first, records)) => {
                for (sequence, record) in (first..).zip(records) {
                    self.events.push(|| RunEvent::Recorded { sequence, record });
                }
            }
            Err(error) => {
                self.lost = Some(error);
                if self.cancellation.is_cancelled() {
                    leave_cancel(keeper).await;
                }
            }
        }
    }

    /// Suspends the run, and gives it as it is stored. Where it is kept and somebody has said something that it has not
    /// heard, it goes on.
    pub(super) async fn suspend(
        &mut self,
        calls: &mut Calls<'_>,
    ) -> Result<Option<StoredRun>, StoreError> {
        let stored = self.stored();
        // The reader gets the time that the run has used as well.
        self.write().await;
        if let Some(lost) = self.lost.take() {
            return Err(lost);
        }
        let Some(keeper) = &mut self.keeper else {
            return Ok(Some(stored));
        };
        let stop = is_to_stop(&self.run, self.cancellation, &mut self.time);
        let suspended = keeper.suspend(&self.run, stored.pending().to_vec());
        let suspended = until_given_up(suspended, stop, self.node.grace()).await;
        if suspended.is_err() && self.cancellation.is_cancelled() {
            leave_cancel(keeper).await;
        }
        if suspended? {
            // Whoever cancels it meanwhile may not know that it is suspended.
            if self.cancellation.is_cancelled() {
                keeper.put_cancel().await?;
            }
            return Ok(Some(stored));
        }
        self.log = Some(stored.into_records());
        self.inbox.0.reopen();
        let waiting = self.run.waiting_for_others().into_iter();
        let waiting: Vec<_> = waiting.map(|(id, _)| id).collect();
        for id in waiting {
            self.expect(id);
        }
        self.listen(calls).await;
        Ok(None)
    }
}

/// Waits until a run is to stop: it is cancelled, or its time is up.
fn is_to_stop<'a>(
    run: &Run,
    cancellation: &'a CancellationToken,
    time: &'a mut RunTime,
) -> impl Future<Output = ()> + use<'a> {
    let (is_late, mut cancelled) = (run.is_late(), cancellation.cancelled());
    poll_fn(move |cx| {
        if is_late || Pin::new(&mut cancelled).poll(cx).is_ready() {
            return Poll::Ready(());
        }
        time.poll_up(cx)
    })
}
