//! Timers: keys that each come out at a time.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::Instant;

use crate::dispatch::Timer;

/// The substitute for a time that the clock cannot express: 30 years from now.
const FOREVER: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// The time after a wait that begins now.
pub(crate) fn after(wait: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(wait).unwrap_or_else(|| now + FOREVER)
}

/// Keys that each come at their time, by one timer.
#[derive(Debug)]
pub(crate) struct Timers<K> {
    queue: BinaryHeap<Reverse<(Instant, K)>>,
    timer: Timer,
}

impl<K: Ord + Copy> Timers<K> {
    pub(crate) fn new() -> Self {
        Self {
            queue: BinaryHeap::new(),
            timer: Timer::default(),
        }
    }

    pub(crate) fn push(&mut self, at: Instant, key: K) {
        self.queue.push(Reverse((at, key)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Takes out a key, whose time does not matter any more.
    pub(crate) fn remove(&mut self, key: K) {
        self.queue.retain(|Reverse((_, other))| *other != key);
    }

    pub(crate) fn clear(&mut self) {
        self.queue.clear();
    }

    /// The key whose time has come first, of those that are there. Pending for ever while there is none.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<K> {
        let Some(&Reverse((at, key))) = self.queue.peek() else {
            return Poll::Pending;
        };
        self.timer.poll_at(at, cx).map(|()| {
            self.queue.pop();
            key
        })
    }
}
