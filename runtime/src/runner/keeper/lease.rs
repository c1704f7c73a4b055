//! Holds the lease of a run and reads its inbox, while the run is driven.

use std::{
    convert::Infallible,
    future::poll_fn,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
    time::{Duration, SystemTime},
};

use futures_util::{
    StreamExt,
    future::{Either, select},
    stream::FuturesUnordered,
};
use tokio::time::{Instant, timeout};

use super::{KeptRuns, lease_clock::Held};
use crate::{
    dispatch::wait,
    runner::control::Inbox,
    store::{InboxContent, Lease, answer_of},
};
use toolwright_core::{
    run::{StoreError, StoreErrorKind},
    tool::CancellationToken,
};

/// The least wait between two times that a lease is extended.
const LEAST: Duration = Duration::from_millis(1);

/// The least time that a store has to extend a lease.
const ANSWER: Duration = Duration::from_secs(1);

/// How often in a row a lease may be over when its store has extended it.
const SLOW: u32 = 3;

/// The wait after a store had nothing to tell.
const LOOKS: Duration = Duration::from_millis(50);

/// The wait before a store is asked again that could not be read.
const PAUSE: Duration = Duration::from_secs(1);

/// Holds the lease of a run and reads its inbox.
pub(in crate::runner) struct Watch {
    runs: KeptRuns,
    lease: Lease,
    /// The place of the last item that was handed on.
    seen: u64,
    /// Until when the lease holds for sure.
    held: Held,
    /// True while the lease is given back: what follows is no loss.
    is_ending: Arc<AtomicBool>,
}

impl Watch {
    pub(super) fn new(
        runs: KeptRuns,
        lease: Lease,
        seen: u64,
        held: Held,
        is_ending: Arc<AtomicBool>,
    ) -> Self {
        Self {
            runs,
            lease,
            seen,
            held,
            is_ending,
        }
    }

    /// Does the work of a driver while the run is its own, or gives the error that says that the lease is lost. A
    /// process that was stopped for longer than the lease lasts, or whose handle was not polled, first checks whether
    /// it is still the driver.
    pub(in crate::runner) async fn unless_lost<T>(
        self,
        inbox: Inbox,
        cancellation: CancellationToken,
        work: impl Future<Output = T>,
    ) -> Result<T, StoreError> {
        let (held, is_ending) = (self.held.clone(), Arc::clone(&self.is_ending));
        let mut work = pin!(work);
        // A set polls its future when that is woken, and not at each step of the run.
        let mut watching: FuturesUnordered<_> =
            [self.lost(inbox, cancellation)].into_iter().collect();
        poll_fn(|cx| {
            if let Poll::Ready(Some(lost)) = watching.poll_next_unpin(cx) {
                return Poll::Ready(Err(lost));
            }
            // The append that gives the lease back says itself what became of it.
            if !held.is_open() && !is_ending.load(Ordering::SeqCst) {
                return Poll::Pending;
            }
            work.as_mut().poll(cx).map(Ok)
        })
        .await
    }

    /// Watches until the lease is lost, and gives the error that says so.
    async fn lost(self, inbox: Inbox, cancellation: CancellationToken) -> StoreError {
        let holding = pin!(self.hold());
        let reading = pin!(self.read(&inbox, &cancellation));
        match select(holding, reading).await {
            Either::Left((Err(error), _)) | Either::Right((Err(error), _)) => error,
            Either::Left((Ok(never), _)) | Either::Right((Ok(never), _)) => match never {},
        }
    }

    /// Extends the lease, until that fails for good.
    async fn hold(&self) -> Result<Infallible, StoreError> {
        let time = self.runs.keeping.lease_time;
        let most = (time / 3).max(ANSWER);
        let mut slow = 0;
        loop {
            let rest = (time / 3).saturating_sub(self.held.elapsed());
            wait(rest.max(LEAST)).await;
            if self.is_ending.load(Ordering::SeqCst) {
                wait(LOOKS).await;
                continue;
            }
            let asked = (Instant::now(), SystemTime::now());
            let store = self.runs.store.store();
            let renewed = timeout(most, answer_of(|| store.renew(&self.lease, time))).await;
            match renewed.unwrap_or_else(|_| Err(too_slow())) {
                Ok(_) => {
                    self.held.renew(asked);
                    slow = if self.held.is_sure() { 0 } else { slow + 1 };
                    if slow >= SLOW {
                        return Err(too_slow());
                    }
                }
                // The append that gives it back says what became of it.
                Err(_) if self.is_ending.load(Ordering::SeqCst) => {}
                Err(error) if is_passing(&error) && self.held.elapsed() < time => {
                    wait((time / 10).min(PAUSE)).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Hands on what comes in the inbox.
    async fn read(
        &self,
        inbox: &Inbox,
        cancellation: &CancellationToken,
    ) -> Result<Infallible, StoreError> {
        let (store, run) = (&self.runs.store, &self.lease.run_id);
        let mut seen = self.seen;
        loop {
            let came = match store.wait_for_inbox(run, seen).await {
                Ok(()) => store.inbox(run, seen).await,
                Err(error) => Err(error),
            };
            match came {
                // Some stores wait for less than others.
                Ok(items) if items.is_empty() => wait(LOOKS).await,
                Ok(items) => {
                    for received in items {
                        seen = seen.max(received.place);
                        let cancels = matches!(received.item.content(), InboxContent::Cancel);
                        // A finished run takes no items any more.
                        let _ = inbox.put(Some(received.place), received.item);
                        if cancels {
                            cancellation.cancel();
                        }
                    }
                }
                // The lease says whether the run is lost.
                Err(_) => wait(PAUSE).await,
            }
        }
    }
}

fn too_slow() -> StoreError {
    let message =
        "the store takes longer to renew a lease than the lease lasts: set a longer lease time";
    StoreError::new(StoreErrorKind::Unavailable, message)
}

/// Returns true if the store may answer when it is asked again.
fn is_passing(error: &StoreError) -> bool {
    error.kind == StoreErrorKind::Unavailable
}
