//! Whether a driver still holds its lease, by its own clocks.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
    time::{Duration, SystemTime},
};

use toolwright_core::driver::Mutex;

use tokio::time::Instant;

/// The time since when a lease is held: the time before the store was asked for it.
#[derive(Clone)]
pub(super) struct Held {
    since: Arc<Mutex<(Instant, SystemTime)>>,
    /// The time for which it holds then.
    time: Duration,
    /// True while the driver waits for its store, which may have nothing for others meanwhile.
    asks: Arc<AtomicBool>,
}

/// The driver waits for its store until this is dropped.
pub(super) struct Asking<'a>(&'a Held);

impl Held {
    pub(super) fn new(since: Instant, time: Duration) -> Self {
        let since = Arc::new(Mutex::new((since, SystemTime::now())));
        Self {
            since,
            time,
            asks: Arc::default(),
        }
    }

    /// The time since the lease was asked for last. One of the clocks stands still while the machine sleeps, and the
    /// other may be set back.
    pub(super) fn elapsed(&self) -> Duration {
        let (instant, time) = *self.since.lock();
        instant.elapsed().max(time.elapsed().unwrap_or_default())
    }

    pub(super) fn renew(&self, (asked, at): (Instant, SystemTime)) {
        let mut since = self.since.lock();
        *since = (asked, at);
    }

    /// Returns true if no other driver can have taken the lease. One of no time never holds, and is for
    /// tests.
    pub(super) fn is_sure(&self) -> bool {
        self.time.is_zero() || self.elapsed() < self.time
    }

    /// Returns true if the driver may go on: with its run, or with what its store was asked for.
    pub(super) fn is_open(&self) -> bool {
        self.is_sure() || self.asks.load(Ordering::SeqCst)
    }

    /// Says that the driver waits for its store.
    pub(super) fn asking(&self) -> Asking<'_> {
        self.asks.store(true, Ordering::SeqCst);
        Asking(self)
    }

    /// Waits until the lease is held for sure. Who extends it is polled beside.
    pub(super) async fn sure(&self) {
        poll_fn(|_| {
            if self.is_sure() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asks.store(false, Ordering::SeqCst);
    }
}
