//! Whether a driver holds its lease for sure, by its own clock.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

/// Since when a lease is held: the time before the store was asked for it.
#[derive(Clone)]
pub(super) struct Held {
    since: Arc<Mutex<Instant>>,
    /// The time for which it holds then.
    time: Duration,
}

/// Says whether a run may go on: while its lease holds for sure, or while it is given back. A process that was stopped for
/// longer, or whose handle nobody has polled, finds out first whether it is still the driver.
#[derive(Clone)]
pub(in crate::runner) struct Fence {
    pub(super) held: Held,
    pub(super) is_ending: Arc<AtomicBool>,
}

impl Held {
    pub(super) fn new(since: Instant, time: Duration) -> Self {
        let since = Arc::new(Mutex::new(since));
        Self { since, time }
    }

    /// The time since the lease was asked for last.
    pub(super) fn elapsed(&self) -> Duration {
        let since = self.since.lock();
        since.unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    pub(super) fn renew(&self, asked: Instant) {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        *since = asked;
    }
}

impl Fence {
    pub(in crate::runner) fn is_open(&self) -> bool {
        // A lease of no time never holds, and is for tests.
        self.held.time.is_zero()
            || self.held.elapsed() < self.held.time
            || self.is_ending.load(Ordering::SeqCst)
    }
}
