//! What a driver publishes of its run, for those in its process who read along.

mod reader;
mod reply;

use std::{
    collections::{BTreeMap, VecDeque},
    mem::take,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use super::RunEvent;
use crate::store::Scope;
use toolwright_core::{driver::Mutex, run::RunId};

pub use reader::RunReader;
use reply::Reply;

/// The most events that wait for one reader. One that is slower goes on with what is stored, and a snapshot.
const MOST_UNREAD: usize = 256;

/// The runs of a runner that are driven in this process.
#[derive(Clone, Default)]
pub(super) struct LiveRuns(Arc<Mutex<BTreeMap<RunId, Arc<Live>>>>);

/// A run that is driven in this process.
struct Live {
    /// Whom it belongs to.
    owner: Option<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The place of the last record that was published.
    last: Option<u64>,
    /// The response under way: its pieces, joined. It is not larger than a response may be.
    reply: Reply,
    readers: BTreeMap<u64, Unread>,
    /// The number of readers that there ever were.
    numbered: u64,
    /// Nothing more is published.
    is_over: bool,
}

/// What waits for a reader.
#[derive(Default)]
struct Unread {
    events: VecDeque<Arc<RunEvent>>,
    /// The reader was too slow, and is to read what is stored.
    is_behind: bool,
    waker: Option<Waker>,
}

/// The way to publish a run. Nothing more is published when it is dropped.
pub(super) struct Publisher {
    runs: LiveRuns,
    id: RunId,
    live: Arc<Live>,
}

/// A place among those who read a run along.
struct Subscription {
    live: Arc<Live>,
    number: u64,
}

/// An item for a reader.
#[expect(
    clippy::large_enum_variant,
    reason = "an event is moved once, and a box would be made for each"
)]
enum LiveItem {
    Event(RunEvent),
    /// The reader was too slow: events are missing.
    Behind,
    /// The driver has ended.
    Over,
}

impl LiveRuns {
    /// Publishes a run of this owner from now on.
    pub(super) fn publish(&self, id: &RunId, owner: Option<&str>) -> Publisher {
        let live = Arc::new(Live {
            owner: owner.map(str::to_owned),
            state: Mutex::default(),
        });
        self.0.lock().insert(id.clone(), Arc::clone(&live));
        Publisher {
            runs: self.clone(),
            id: id.clone(),
            live,
        }
    }

    /// Subscribes a reader to a run that is driven here, if the scope sees it. Returns the place of the last record before the
    /// first item.
    fn subscribe(&self, id: &RunId, scope: Scope<'_>) -> Option<(Subscription, Option<u64>)> {
        let live = Arc::clone(self.0.lock().get(id)?);
        if !scope.sees(live.owner.as_deref()) {
            return None;
        }
        let mut state = live.state.lock();
        if state.is_over {
            return None;
        }
        let (number, last) = (state.numbered, state.last);
        state.numbered += 1;
        let mut unread = Unread::default();
        if !state.reply.is_empty() {
            let (after, pieces) = (last.unwrap_or_default(), state.reply.pieces());
            let snapshot = RunEvent::ResponseSnapshot { after, pieces };
            unread.events.push_back(Arc::new(snapshot));
        }
        state.readers.insert(number, unread);
        drop(state);
        Some((Subscription { live, number }, last))
    }
}

impl Publisher {
    /// Gives an event to all who read along. It waits for none of them.
    pub(super) fn publish(&self, event: &RunEvent) {
        let mut state = self.live.state.lock();
        match event {
            RunEvent::Recorded { sequence, .. } => {
                state.last = Some(*sequence);
                state.reply.clear();
            }
            RunEvent::Delta(piece) => state.reply.push(piece),
            _ => {}
        }
        if state.readers.is_empty() {
            return;
        }
        let event = Arc::new(event.clone());
        let mut waiting = Vec::new();
        for unread in state.readers.values_mut() {
            unread.push(&event);
            waiting.extend(unread.waker.take());
        }
        // The lock is free when they come.
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        let mut runs = self.runs.0.lock();
        // It may be driven again already.
        if (runs.get(&self.id)).is_some_and(|live| Arc::ptr_eq(live, &self.live)) {
            runs.remove(&self.id);
        }
        drop(runs);
        let mut state = self.live.state.lock();
        state.is_over = true;
        let unread = state.readers.values_mut();
        let waiting: Vec<_> = unread.filter_map(|unread| unread.waker.take()).collect();
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl Unread {
    fn push(&mut self, event: &Arc<RunEvent>) {
        if self.events.len() >= MOST_UNREAD {
            self.is_behind = true;
            self.events = VecDeque::new();
        }
        if !self.is_behind {
            self.events.push_back(Arc::clone(event));
        }
    }
}

impl Subscription {
    fn poll_next(&self, cx: &Context<'_>) -> Poll<LiveItem> {
        let mut state = self.live.state.lock();
        let is_over = state.is_over;
        let Some(unread) = state.readers.get_mut(&self.number) else {
            return Poll::Ready(LiveItem::Over);
        };
        if take(&mut unread.is_behind) {
            return Poll::Ready(LiveItem::Behind);
        }
        if let Some(event) = unread.events.pop_front() {
            drop(state);
            return Poll::Ready(LiveItem::Event(Arc::unwrap_or_clone(event)));
        }
        if is_over {
            return Poll::Ready(LiveItem::Over);
        }
        unread.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.live.state.lock().readers.remove(&self.number);
    }
}
