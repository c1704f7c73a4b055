//! Bodies that are read to the end after their responses, so that their connections are used again.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use toolwright_core::driver::Mutex;

use tokio::{
    runtime::Handle,
    task::{JoinHandle, yield_now},
    time::{Instant, timeout, timeout_at},
};

use super::Reply;

/// The maximum number of ends that are read at once. Beyond it connections are closed.
const MOST: usize = 64;
/// The time limit for reading an end.
const TIME: Duration = Duration::from_secs(1);
/// The maximum number of bytes before the end.
const BYTES: usize = 64 * 1024;
/// The time after a response during which the next request waits for its connection. Making another one takes as
/// long.
const NEXT: Duration = Duration::from_millis(200);
/// The number of times that other tasks may run, so that the connection is back in its pool.
const TURNS: usize = 8;

/// The ends of bodies that are being read. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Drains(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    running: Mutex<Vec<Drain>>,
    /// The last end came too late for the next request.
    late: AtomicBool,
}

#[derive(Debug)]
struct Drain {
    origin: String,
    since: Instant,
    task: JoinHandle<()>,
}

impl Drains {
    /// Reads what is left of a body, in the background. Nobody waits for it but the next request to the
    /// server, and that one shortly.
    pub(super) fn read(&self, reply: Reply) {
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let mut running = self.0.running.lock();
        running.retain(|drain| !drain.task.is_finished());
        if running.len() >= MOST {
            return;
        }
        let shares = reply.shares_its_connection();
        let (origin, since) = (reply.origin(), Instant::now());
        let drains = Arc::clone(&self.0);
        let task = runtime.spawn(async move {
            let ended = timeout(TIME, to_the_end(reply)).await == Ok(true);
            let late = !ended || since.elapsed() > NEXT;
            drains.late.store(late, Ordering::Relaxed);
        });
        // A connection that others share is never waited for.
        if !shares {
            running.push(Drain {
                origin,
                since,
                task,
            });
        }
    }

    /// Waits until a connection to the server serves again that is about to, if there is one.
    pub(super) async fn connection_to(&self, origin: &str) {
        if self.0.late.load(Ordering::Relaxed) {
            return;
        }
        let Some(mut drain) = self.0.take(origin) else {
            return;
        };
        let ended = timeout_at(drain.since + NEXT, &mut drain.task).await;
        if ended.is_err() {
            self.0.late.store(true, Ordering::Relaxed);
            return;
        }
        for _ in 0..TURNS {
            yield_now().await;
        }
    }
}

impl Shared {
    /// Each is waited for by one request.
    fn take(&self, origin: &str) -> Option<Drain> {
        let mut running = self.running.lock();
        let place = running.iter().position(|drain| drain.origin == origin)?;
        Some(running.remove(place))
    }
}

/// Returns true if the body ended as it should.
async fn to_the_end(mut reply: Reply) -> bool {
    let mut bytes = 0;
    while bytes < BYTES {
        match reply.chunk().await {
            Ok(Some(chunk)) => bytes += chunk.len(),
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
    false
}
