//! Holds the lease of a run and reads its inbox, while the run is driven.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::future::{Either, select};
use std::pin::pin;
use tokio::time::Instant;

use super::KeptRuns;
use crate::{
    dispatch::wait,
    run::{StoreError, StoreErrorKind},
    runner::control::{Inbox, Said},
    store::{InboxContent, Lease},
    tool::CancellationToken,
};

/// The least wait between two times that a lease is extended.
const LEAST: Duration = Duration::from_millis(1);

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
    /// The time when the lease was taken.
    leased_at: Instant,
    /// True while the lease is given back: what follows is no loss.
    is_ending: Arc<AtomicBool>,
}

impl Watch {
    pub(super) fn new(
        runs: KeptRuns,
        lease: Lease,
        seen: u64,
        leased_at: Instant,
        is_ending: Arc<AtomicBool>,
    ) -> Self {
        Self {
            runs,
            lease,
            seen,
            leased_at,
            is_ending,
        }
    }

    /// Watches until the lease is lost, and gives the error that says so.
    pub(in crate::runner) async fn lost(
        self,
        inbox: Inbox,
        cancellation: CancellationToken,
    ) -> StoreError {
        let holding = pin!(self.hold());
        let reading = pin!(self.read(&inbox, &cancellation));
        match select(holding, reading).await {
            Either::Left((Err(error), _)) | Either::Right((Err(error), _)) => error,
            Either::Left((Ok(never), _)) | Either::Right((Ok(never), _)) => match never {},
        }
    }

    /// Extends the lease, until that fails for good.
    async fn hold(&self) -> Result<Infallible, StoreError> {
        let time = self.runs.lease_time;
        let mut held_since = self.leased_at;
        loop {
            let rest = (time / 3).saturating_sub(held_since.elapsed());
            wait(rest.max(LEAST)).await;
            if self.is_ending.load(Ordering::SeqCst) {
                wait(LOOKS).await;
                continue;
            }
            let renewed = self.runs.store.renew(&self.lease, time);
            match self.runs.answered(renewed).await {
                Ok(_) => held_since = Instant::now(),
                // The append that gives it back says what became of it.
                Err(_) if self.is_ending.load(Ordering::SeqCst) => {}
                Err(error) if is_passing(&error) && held_since.elapsed() < time => {
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
                        // A run that is over hears nothing any more.
                        let _ = inbox.put(Said::Received(Box::new(received)));
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

/// Returns true if the store may answer when it is asked again.
fn is_passing(error: &StoreError) -> bool {
    error.kind == StoreErrorKind::Unavailable
}
