//! Events on their way from the driver to the reader.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
};

use super::RunEvent;

/// Events on their way from the driver to the reader, who are polled by the same task.
#[derive(Clone, Default)]
pub(super) struct EventQueue(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    events: VecDeque<RunEvent>,
    /// Nobody will read any more.
    closed: bool,
}

impl EventQueue {
    /// Adds an event, which is made only if somebody may read it.
    pub(super) fn push(&self, event: impl FnOnce() -> RunEvent) {
        let mut queue = self.lock();
        if !queue.closed {
            queue.events.push_back(event());
        }
    }

    /// Waits until the reader has taken every event, so that it learns of a step before the next one
    /// is made: a reader that stores what it reads has written a call down before the call runs.
    ///
    /// There is no waker: the reader polls the driver again when it asks for the next event.
    pub(super) async fn read(&self) {
        std::future::poll_fn(|_| {
            if self.lock().events.is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    /// The oldest event.
    pub(super) fn pop(&self) -> Option<RunEvent> {
        self.lock().events.pop_front()
    }

    /// Says that nobody reads any more, and drops what is there.
    pub(super) fn close(&self) {
        let mut queue = self.lock();
        queue.closed = true;
        queue.events.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        // Nothing inside the lock leaves the queue half-changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
