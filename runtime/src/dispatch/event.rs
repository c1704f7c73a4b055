//! Events of a batch, as they happen.

use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

use futures_util::Stream;

use super::{OutputPolicy, latest::Latest};
use crate::budget::Budget;
use toolwright_core::{
    driver::Mutex,
    run::Delay,
    tool::{CallUpdate, Progress, ToolResult},
};

/// An event in a batch of calls, as it happens. Calls are named by their place in the batch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DispatchEvent {
    /// An attempt of a call starts.
    Started {
        /// The place of the call in the batch.
        index: usize,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// A call waits for something other than its turn.
    Delayed {
        /// The place of the call in the batch.
        index: usize,
        /// The reason of the wait.
        why: Delay,
    },
    /// An update from a running call. A reader that is slower than the tool sees the latest of each kind, and nothing
    /// of a call after its result.
    Update {
        /// The place of the call in the batch.
        index: usize,
        /// The update.
        update: CallUpdate,
    },
    /// A call has its result.
    Finished {
        /// The place of the call in the batch.
        index: usize,
        /// The result.
        result: ToolResult,
    },
}

/// The events of a batch that is under way, and in the end its results.
///
/// The calls run while it is polled. Dropping it stops async tools where they wait; blocking ones run
/// on, unseen.
#[must_use = "calls run only while the stream is polled"]
pub struct DispatchStream<'a> {
    events: Pin<Box<dyn Stream<Item = DispatchEvent> + Send + 'a>>,
    results: Vec<Option<ToolResult>>,
    /// A reader of calls that never wait must not keep other tasks waiting.
    budget: Budget,
}

impl<'a> DispatchStream<'a> {
    pub(super) fn new(calls: usize, events: impl Stream<Item = DispatchEvent> + Send + 'a) -> Self {
        Self {
            events: Box::pin(events),
            results: vec![None; calls],
            budget: Budget::new(),
        }
    }

    /// The next event; `None` when every call has finished.
    ///
    /// # Panics
    ///
    /// As [`Dispatch`](crate::Dispatch#panics) does.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no event, and the calls continue with the next poll.
    pub async fn next(&mut self) -> Option<DispatchEvent> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Runs to the end, skips unread events, and returns the results of all calls, in the order of the calls.
    ///
    /// # Panics
    ///
    /// As [`Dispatch`](crate::Dispatch#panics) does.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the calls, and loses the results.
    pub async fn results(mut self) -> Vec<ToolResult> {
        while let Some(event) = std::future::poll_fn(|cx| self.events.as_mut().poll_next(cx)).await
        {
            if let DispatchEvent::Finished { index, result } = event {
                self.results[index] = Some(result);
            }
            self.budget.step().await;
        }
        // Every call has finished, so that none is left out.
        self.results.into_iter().flatten().collect()
    }
}

/// A result that is read is kept as well, for the [results](DispatchStream::results) in the end.
impl Stream for DispatchStream<'_> {
    type Item = DispatchEvent;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<DispatchEvent>> {
        let this = self.get_mut();
        ready!(this.budget.poll_step(cx));
        let event = this.events.as_mut().poll_next(cx);
        if let Poll::Ready(Some(DispatchEvent::Finished { index, result })) = &event {
            this.results[*index] = Some(result.clone());
        }
        if let Poll::Ready(Some(DispatchEvent::Update { .. })) = &event {
            // What the calls wait for has its turn before the next.
            this.budget.spend();
        }
        event
    }
}

impl fmt::Debug for DispatchStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.results.iter().flatten().count();
        f.debug_struct("DispatchStream")
            .field("calls", &self.results.len())
            .field("finished", &finished)
            .finish_non_exhaustive()
    }
}

/// Events that have not been read.
#[derive(Default)]
pub(super) struct Unread {
    /// Updates among them are not redacted yet: that happens when they are read.
    events: VecDeque<DispatchEvent>,
    said: Arc<Mutex<LatestUpdates>>,
}

/// Updates from running calls.
#[derive(Default)]
struct LatestUpdates {
    updates: Latest<usize>,
    /// The calls with a running attempt: updates of others are dropped.
    running: BTreeSet<usize>,
    /// The reader that waits. Calls on other threads send updates between two polls.
    reader: Option<Waker>,
}

impl Unread {
    /// Adds an event. The last update of a call comes before its result.
    pub(super) fn push(&mut self, event: DispatchEvent) {
        let mut said = self.said.lock();
        match event {
            DispatchEvent::Started { index, .. } => {
                said.running.insert(index);
            }
            DispatchEvent::Delayed { index, .. } => {
                said.running.remove(&index);
            }
            DispatchEvent::Finished { index, .. } => {
                said.running.remove(&index);
                let last = said.updates.take(index);
                self.events
                    .extend(last.map(|update| DispatchEvent::Update { index, update }));
            }
            DispatchEvent::Update { .. } => {}
        }
        drop(said);
        self.events.push_back(event);
    }

    /// The oldest event; none if it is an update that cannot be redacted.
    pub(super) fn pop(&mut self, output: &OutputPolicy) -> Option<DispatchEvent> {
        match self.events.pop_front()? {
            DispatchEvent::Update { index, update } => {
                let update = output.update(update)?;
                Some(DispatchEvent::Update { index, update })
            }
            event => Some(event),
        }
    }

    /// Returns true if every event was read.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Returns true if a call has reported an update, and adds the update to the events. Otherwise the reader is
    /// woken at the next update.
    pub(super) fn hears(&mut self, cx: &Context<'_>) -> bool {
        let mut said = self.said.lock();
        let update = said.updates.pop();
        if update.is_none() {
            said.reader = Some(cx.waker().clone());
        }
        let is_heard = update.is_some();
        let news = update.map(|(index, update)| DispatchEvent::Update { index, update });
        self.events.extend(news);
        is_heard
    }

    /// Returns the progress sink of the call at `index`, which also reports to `others`.
    pub(super) fn progress(&self, index: usize, others: Progress) -> Progress {
        let said = Arc::clone(&self.said);
        Progress::over(others.clone(), move |update| {
            others.publish(|| update.clone());
            let reader = {
                let mut said = said.lock();
                if !said.running.contains(&index) {
                    return;
                }
                said.updates.say(index, update);
                said.reader.take()
            };
            // The lock is free when the reader comes.
            if let Some(reader) = reader {
                reader.wake();
            }
        })
    }
}
