//! Events on their way from the driver to the reader.

use std::{
    collections::{BTreeMap, VecDeque},
    mem::{swap, take},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

use super::{RunEvent, seen_calls::SeenBelow};
use crate::dispatch::{Latest, OutputPolicy};
use toolwright_core::{
    driver::Mutex,
    model::ModelEvent,
    run::{CallId, Record},
    tool::CallUpdate,
};

/// The most events that the driver hands over in one go, where nothing in the log is among them.
pub(super) const BATCH: usize = 64;

/// Events on their way from the driver to the reader, who are polled by the same task.
#[derive(Clone, Default)]
pub(super) struct EventQueue(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Nobody will read any more.
    closed: AtomicBool,
    /// Whoever takes the events does not read them.
    unheeded: AtomicBool,
    /// What is known of the runs below whose events are among these.
    seen_below: SeenBelow,
}

#[derive(Default)]
struct Queue {
    unread: Unread,
    /// The latest update of each kind for each running call. A slow reader misses the others; it
    /// neither blocks a tool nor fills the memory.
    updates: Latest<CallId>,
    /// Updates of calls whose start the reader has not read yet.
    early: Latest<CallId>,
    /// The calls that have started and have no result.
    started: BTreeMap<CallId, Started>,
    /// The reader that waits. Calls on other threads send updates between two polls.
    reader: Option<Waker>,
    /// The sub-agents that wait until everything is read.
    below: Vec<Waker>,
}

/// Events in their order, apart from what running calls say.
#[derive(Default)]
pub(super) struct Unread {
    /// Pieces of a response, which are small and many. They are the first.
    deltas: VecDeque<ModelEvent>,
    /// Updates among them are not redacted yet: that happens when they are read.
    events: VecDeque<RunEvent>,
}

/// A call that has started and has no result.
struct Started {
    /// The name of its tool.
    name: String,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// An attempt runs, and the reader is to learn of that.
    Early,
    /// An attempt runs.
    Runs,
    /// It waits for its next attempt. Nothing is heard of it.
    Waits,
}

/// An event out of the queue, as the reader gets it; nothing of an update that cannot be redacted.
pub(super) fn redacted(event: RunEvent, output: &OutputPolicy) -> Option<RunEvent> {
    let RunEvent::Update { call, name, update } = event else {
        return Some(event);
    };
    let update = output.update(update)?;
    Some(RunEvent::Update { call, name, update })
}

impl Unread {
    pub(super) fn is_empty(&self) -> bool {
        self.deltas.is_empty() && self.events.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.deltas.clear();
        self.events.clear();
    }

    /// The oldest event, if it is a piece of a response.
    pub(super) fn pop_delta(&mut self) -> Option<ModelEvent> {
        self.deltas.pop_front()
    }

    /// The oldest event.
    pub(super) fn pop(&mut self) -> Option<RunEvent> {
        match self.pop_delta() {
            Some(delta) => Some(RunEvent::Delta(delta)),
            None => self.events.pop_front(),
        }
    }

    /// Moves pieces of a response behind the others.
    fn append(&mut self, deltas: &mut VecDeque<ModelEvent>) {
        if self.is_empty() {
            swap(&mut self.deltas, deltas);
        } else if self.events.is_empty() {
            self.deltas.append(deltas);
        } else {
            self.events.extend(deltas.drain(..).map(RunEvent::Delta));
        }
    }
}

impl EventQueue {
    /// What is known of the runs below whose events are among these.
    pub(super) fn seen_below(&self) -> &SeenBelow {
        &self.0.seen_below
    }

    /// Adds an event. It is made only if there may be a reader.
    pub(super) fn push(&self, event: impl FnOnce() -> RunEvent) {
        if !self.is_closed() {
            let mut queue = self.0.queue.lock();
            let event = event();
            queue.follow(&event);
            queue.unread.events.push_back(event);
        }
    }

    /// Adds pieces of a response.
    pub(super) fn push_deltas(&self, deltas: &mut VecDeque<ModelEvent>) {
        if self.is_closed() {
            deltas.clear();
        } else if !deltas.is_empty() {
            self.0.queue.lock().unread.append(deltas);
        }
    }

    /// Returns true if there is no reader any more.
    pub(super) fn is_closed(&self) -> bool {
        self.0.closed.load(Ordering::SeqCst)
    }

    /// Declares that the taker passes the events on to readers that can discard text.
    pub(super) fn pass_on(&self) {
        self.0.unheeded.store(true, Ordering::SeqCst);
    }

    /// Returns true if there is a reader that cannot discard text.
    pub(super) fn is_read(&self) -> bool {
        !self.is_closed() && !self.0.unheeded.load(Ordering::SeqCst)
    }

    /// Sets what a running call says. It takes the place of what the call said before, if nobody
    /// has read that. No user code runs in here.
    pub(super) fn update(&self, call: CallId, update: CallUpdate) {
        let mut queue = self.0.queue.lock();
        if self.is_closed() {
            return;
        }
        match queue.started.get(&call).map(|call| call.state) {
            Some(State::Runs) => queue.updates.say(call, update),
            Some(State::Early) => return queue.early.say(call, update),
            Some(State::Waits) | None => return,
        }
        if let Some(reader) = queue.reader.take() {
            // The lock is free when the reader comes.
            drop(queue);
            reader.wake();
        }
    }

    /// Says that a call may run before its start is among the events. What it says is kept until then.
    pub(super) fn starts_early(&self, call: CallId, name: &str) {
        if !self.is_closed() {
            let (name, state) = (name.to_owned(), State::Early);
            self.0
                .queue
                .lock()
                .started
                .insert(call, Started { name, state });
        }
    }

    /// Waits until the reader has taken every event, so that it learns of a step before the next one
    /// is made: a reader that stores what it reads has written a call down before the call runs.
    ///
    /// There is no waker: the reader polls the driver again when it asks for the next event.
    pub(super) async fn read(&self) {
        std::future::poll_fn(|_| {
            if self.0.queue.lock().unread.is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    /// Waits until an event of a run below may be added: its call has started for the reader, who has read everything.
    /// So a run below is not ahead of its reader.
    pub(super) fn poll_for_nested(&self, call: CallId, cx: &Context<'_>) -> Poll<()> {
        let mut queue = self.0.queue.lock();
        let is_started = queue
            .started
            .get(&call)
            .is_some_and(|call| call.state == State::Runs);
        if self.is_closed() || is_started && queue.unread.is_empty() {
            return Poll::Ready(());
        }
        if !queue.below.iter().any(|waker| waker.will_wake(cx.waker())) {
            queue.below.push(cx.waker().clone());
        }
        Poll::Pending
    }

    /// Adds an event of a run below. After the result of its call there are none.
    pub(super) fn push_nested(&self, call: CallId, event: RunEvent) {
        let mut queue = self.0.queue.lock();
        let is_started = queue
            .started
            .get(&call)
            .is_some_and(|call| call.state == State::Runs);
        if self.is_closed() || !is_started {
            return;
        }
        queue.unread.events.push_back(event);
        if let Some(reader) = queue.reader.take() {
            // The lock is free when the reader comes.
            drop(queue);
            reader.wake();
        }
    }

    /// Moves all events to a list that is empty. The driver is polled again when that list is read. What running
    /// calls say is left for [`poll_update`](Self::poll_update), which comes after the driver: they may speak faster
    /// than anybody reads.
    pub(super) fn take(&self, unread: &mut Unread) {
        let mut queue = self.0.queue.lock();
        swap(&mut queue.unread, unread);
        let below = take(&mut queue.below);
        drop(queue);
        below.into_iter().for_each(Waker::wake);
    }

    /// The oldest update; if there is none, the reader is woken when a call says something.
    pub(super) fn poll_update(&self, cx: &Context<'_>) -> Poll<RunEvent> {
        let mut queue = self.0.queue.lock();
        if let Some((call, update)) = queue.updates.pop() {
            let started = queue.started.get(&call);
            let name = started.map(|call| call.name.clone()).unwrap_or_default();
            return Poll::Ready(RunEvent::Update { call, name, update });
        }
        if !queue.unread.is_empty() {
            // A run below in another task has sent an event since the last poll.
            drop(queue);
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        queue.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Ends reading, and drops the events.
    pub(super) fn close(&self) {
        let mut queue = self.0.queue.lock();
        self.0.closed.store(true, Ordering::SeqCst);
        queue.unread.clear();
        queue.updates.clear();
        queue.early.clear();
        let below = take(&mut queue.below);
        drop(queue);
        below.into_iter().for_each(Waker::wake);
    }
}

impl Queue {
    /// Follows which calls run. The last update of a call comes before its result.
    fn follow(&mut self, event: &RunEvent) {
        let RunEvent::Recorded { record, .. } = event else {
            return;
        };
        match record {
            Record::CallStarted { call, name } => {
                let (name, state) = (name.clone(), State::Runs);
                self.started.insert(*call, Started { name, state });
                for update in self.early.take(*call) {
                    self.updates.say(*call, update);
                }
            }
            Record::CallDelayed { call, .. } => {
                if let Some(call) = self.started.get_mut(call) {
                    call.state = State::Waits;
                }
            }
            Record::CallFinished { call, .. } => {
                let Some(Started { name, .. }) = self.started.remove(call) else {
                    return;
                };
                let call = *call;
                let last = self.updates.take(call).map(|update| RunEvent::Update {
                    call,
                    name: name.clone(),
                    update,
                });
                self.unread.events.extend(last);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
