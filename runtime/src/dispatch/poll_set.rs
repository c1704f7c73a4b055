//! The calls that run.
//!
//! It stands in the place of `FuturesUnordered`, which took 421 ns and 1,076 bytes for a trivial call where this takes
//! 345 ns and 410 bytes (`benches/batch.rs`), cannot wake all of its futures, and polls those that a spent budget of
//! tokio holds up more than three times each (`tests/running/fairness.rs`).

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use tokio::task::coop::has_budget_remaining;

/// The calls that run, polled in place: a place for each that runs at once. Places are used again, so
/// that a call allocates nothing here, and only those that were woken are polled. One that ends when it
/// is polled first takes no lock.
///
/// All that were woken are polled before one that has ended is given: whoever takes their time over that
/// keeps no other waiting for its turn.
pub(crate) struct PollSet<K, F: Future> {
    places: Vec<Place<K, F>>,
    /// Places that no call has.
    free: Vec<usize>,
    /// Places whose calls were not polled yet.
    fresh: VecDeque<usize>,
    /// Places that were woken, and have their turn now.
    turns: VecDeque<usize>,
    /// The calls that have ended, and with what.
    ended: VecDeque<(K, F::Output)>,
    /// Made with the first bell.
    woken: Option<Arc<Woken>>,
    adopted: Adopted,
}

/// The place whose call was [adopted](PollSet::adopt), and waits by the waker of the task.
#[derive(Default)]
enum Adopted {
    #[default]
    None,
    /// In this turn of the task.
    Now(usize),
    /// In the turn before.
    Before(usize),
}

struct Place<K, F> {
    key: Option<K>,
    work: Pin<Box<Option<F>>>,
    /// Made when the call is polled.
    bell: Option<(Arc<Bell>, Waker)>,
}

/// The places that are to be polled.
#[derive(Default)]
struct Woken(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    places: VecDeque<usize>,
    /// The task that polls all of them.
    parent: Option<Waker>,
}

/// Wakes one place.
struct Bell {
    place: usize,
    /// It stands in the queue.
    rung: AtomicBool,
    woken: Arc<Woken>,
}

impl<K, F: Future> PollSet<K, F> {
    pub(crate) fn new() -> Self {
        Self {
            places: Vec::new(),
            free: Vec::new(),
            fresh: VecDeque::new(),
            turns: VecDeque::new(),
            ended: VecDeque::new(),
            woken: None,
            adopted: Adopted::None,
        }
    }
}

impl<K, F: Future> Default for PollSet<K, F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Copy, F: Future> PollSet<K, F> {
    pub(crate) fn is_empty(&self) -> bool {
        self.free.len() == self.places.len() && self.ended.is_empty()
    }

    /// Adds a call, which is polled with the next [`poll_next`](Self::poll_next).
    pub(crate) fn push(&mut self, key: K, work: F) {
        let index = self.free.pop().unwrap_or_else(|| self.add_place());
        let place = &mut self.places[index];
        place.key = Some(key);
        place.work.as_mut().set(Some(work));
        self.fresh.push_back(index);
    }

    /// Adds a call that was polled in this turn of the task, by the waker of the task. It has a waker of its own from the
    /// next [turn](Self::begin_turn) on.
    pub(crate) fn adopt(&mut self, key: K, work: F) {
        self.push(key, work);
        if let Some(index) = self.fresh.pop_back() {
            self.adopted = Adopted::Now(index);
        }
    }

    /// Takes note that the task has a turn, for which the call may have woken it that was [adopted](Self::adopt) before.
    pub(crate) fn begin_turn(&mut self) {
        self.adopted = match std::mem::take(&mut self.adopted) {
            Adopted::Now(index) => Adopted::Before(index),
            Adopted::Before(index) => {
                self.turns.push_back(index);
                Adopted::None
            }
            Adopted::None => return,
        };
    }

    /// Drops all calls.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Polls every call with the next [`poll_next`](Self::poll_next), since something has changed that
    /// wakes none.
    pub(crate) fn wake_all(&mut self) {
        if let Adopted::Now(index) | Adopted::Before(index) = std::mem::take(&mut self.adopted) {
            self.turns.push_back(index);
        }
        let taken = self.places.iter().filter(|place| place.key.is_some());
        taken
            .filter_map(|place| place.bell.as_ref())
            .for_each(|(bell, _)| {
                bell.ring();
            });
    }

    /// The next call that has ended, and with what. Pending for ever while there is none.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<(K, F::Output)> {
        if self.is_empty() {
            return Poll::Pending;
        }
        self.poll_woken(cx);
        self.ended.pop_front().map_or(Poll::Pending, Poll::Ready)
    }

    fn poll_woken(&mut self, cx: &Context<'_>) {
        let had_turns = !(self.turns.is_empty() && self.fresh.is_empty());
        self.poll_turns(cx);
        if !(self.turns.is_empty() && self.fresh.is_empty()) {
            return;
        }
        // What is woken from here on wakes the parent.
        if let Some(woken) = &self.woken {
            woken.take(cx.waker(), &mut self.turns);
        }
        if !had_turns {
            self.poll_turns(cx);
        } else if !self.turns.is_empty() {
            // A call that woke itself has its next turn after whoever polls.
            cx.waker().wake_by_ref();
        }
    }

    /// Polls the calls whose turn it is: the first in any case, the others for as long as something is
    /// left of what a task may do in one go. Without, all of them would wake themselves and do nothing.
    fn poll_turns(&mut self, cx: &Context<'_>) {
        while let Some(index) = self.turns.pop_front().or_else(|| self.fresh.pop_front()) {
            self.poll_place(index);
            if !has_budget_remaining() {
                cx.waker().wake_by_ref();
                return;
            }
        }
    }

    fn poll_place(&mut self, index: usize) {
        let place = &mut self.places[index];
        let (bell, waker) = place.bell.get_or_insert_with(|| {
            let woken = Arc::clone(self.woken.get_or_insert_default());
            Bell::new(index, woken)
        });
        // Whoever rings from here on finds the bell silent. Mostly it is, which costs less to see.
        if bell.rung.load(Ordering::SeqCst) {
            bell.rung.store(false, Ordering::SeqCst);
        }
        let (Some(key), Some(work)) = (place.key, place.work.as_mut().as_pin_mut()) else {
            return;
        };
        let Poll::Ready(output) = work.poll(&mut Context::from_waker(waker)) else {
            return;
        };
        place.key = None;
        place.work.as_mut().set(None);
        self.free.push(index);
        self.ended.push_back((key, output));
    }

    fn add_place(&mut self) -> usize {
        self.places.push(Place {
            key: None,
            work: Box::pin(None),
            bell: None,
        });
        self.places.len() - 1
    }
}

impl Woken {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing inside the lock leaves the queue half-changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the places that were woken, and wakes the parent when another one is.
    fn take(&self, parent: &Waker, places: &mut VecDeque<usize>) {
        let mut queue = self.queue();
        match &mut queue.parent {
            Some(before) => before.clone_from(parent),
            none => *none = Some(parent.clone()),
        }
        std::mem::swap(&mut queue.places, places);
    }
}

impl Bell {
    fn new(place: usize, woken: Arc<Woken>) -> (Arc<Self>, Waker) {
        let bell = Arc::new(Self {
            place,
            rung: AtomicBool::new(false),
            woken,
        });
        let waker = Waker::from(Arc::clone(&bell));
        (bell, waker)
    }

    /// Puts the place into the queue, if it does not stand there. Gives who is to be woken.
    fn ring(&self) -> Option<Waker> {
        if self.rung.swap(true, Ordering::SeqCst) {
            return None;
        }
        let mut queue = self.woken.queue();
        queue.places.push_back(self.place);
        queue.parent.clone()
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // The lock is free when the parent comes.
        if let Some(parent) = self.ring() {
            parent.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, task::ready};

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn places_are_used_again_and_only_the_woken_are_polled() {
        let mut running = PollSet::new();
        let polls = Arc::new(Mutex::new([0; 3]));
        for round in 0..3 {
            let mut senders = Vec::new();
            for key in 0..3 {
                let (sender, mut receiver) = oneshot::channel::<()>();
                senders.push(sender);
                let polls = Arc::clone(&polls);
                running.push(
                    key,
                    poll_fn(move |cx| {
                        polls.lock().expect("nothing panics")[key] += 1;
                        Poll::Ready(ready!(Pin::new(&mut receiver).poll(cx)))
                    }),
                );
            }
            assert_eq!(running.places.len(), 3, "in round {round}");
            assert!(poll_once(&mut running).await.is_none());
            for key in [1, 2, 0] {
                senders.remove(senders.len().min(key + 1) - 1).send(()).ok();
                while poll_once(&mut running).await.is_some() {}
            }
            assert!(running.is_empty());
            assert!(poll_once(&mut running).await.is_none());
        }
        let polls = polls.lock().expect("nothing panics");
        assert_eq!(
            *polls, [6; 3],
            "once when it starts and once when it is woken"
        );
    }

    #[tokio::test]
    async fn one_that_is_adopted_is_polled_again_when_the_task_is_woken() {
        let mut running = PollSet::new();
        let (sender, mut receiver) = oneshot::channel();
        let polls = Arc::new(Mutex::new(0));
        let count = Arc::clone(&polls);
        let mut work = Box::pin(poll_fn(move |cx| {
            *count.lock().expect("nothing panics") += 1;
            Poll::Ready(ready!(Pin::new(&mut receiver).poll(cx)))
        }));
        assert!(poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx).is_pending())).await);
        running.adopt(7, work);
        running.begin_turn();
        assert!(poll_once(&mut running).await.is_none());
        assert_eq!(*polls.lock().expect("nothing panics"), 1);

        running.begin_turn();
        assert!(poll_once(&mut running).await.is_none());
        running.begin_turn();
        assert!(poll_once(&mut running).await.is_none());
        assert_eq!(*polls.lock().expect("nothing panics"), 2, "once in vain");

        sender.send(8).expect("it waits");
        assert_eq!(poll_once(&mut running).await, Some((7, Ok(8))));
        assert!(running.is_empty());
    }

    async fn poll_once<F: Future>(running: &mut PollSet<usize, F>) -> Option<(usize, F::Output)> {
        poll_fn(|cx| match running.poll_next(cx) {
            Poll::Ready(ended) => Poll::Ready(Some(ended)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }

    #[tokio::test]
    async fn one_that_always_wakes_itself_lets_others_have_their_turn() {
        let mut running = PollSet::new();
        let restless = async {
            loop {
                tokio::task::yield_now().await;
            }
        };
        let quiet = async { tokio::task::yield_now().await };
        let mut works: Vec<Pin<Box<dyn Future<Output = ()>>>> = vec![Box::pin(restless)];
        works.push(Box::pin(quiet));
        for (key, work) in works.into_iter().enumerate() {
            running.push(key, work);
        }
        let (key, ()) = poll_fn(|cx| running.poll_next(cx)).await;
        assert_eq!(key, 1);
        assert!(poll_once(&mut running).await.is_none(), "it comes back");
    }
}
