//! Whether a driver holds its lease for sure, by its own clock.

use std::{
    sync::{Arc, Mutex, PoisonError},
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

    /// Returns true if nobody else can have taken the lease. One of no time never holds, and is for tests.
    pub(super) fn is_sure(&self) -> bool {
        self.time.is_zero() || self.elapsed() < self.time
    }
}
