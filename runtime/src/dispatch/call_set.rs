//! Futures that are under way, each for a call.

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::task::coop::has_budget_remaining;

/// Futures that are under way, each for a call. Those that were woken are polled before one that has ended is given: what
/// is done about that one delays no other. One that uses up the budget of its task passes its next turn, so that the others
/// have theirs.
pub(crate) struct CallSet<K, F: Future> {
    /// Made with the first future that waits.
    pending: Option<FuturesUnordered<Keyed<K, F>>>,
    /// The calls whose futures have ended, and with what.
    ended: VecDeque<(K, F::Output)>,
}

struct Keyed<K, F> {
    key: K,
    work: F,
    /// True if it passes its next turn.
    passes: bool,
}

/// The ends that wait to be given when nothing more is polled: futures that never wait must not keep other tasks waiting.
const ENDS: usize = 16;

impl<K: Copy + Unpin, F: Future + Unpin> CallSet<K, F> {
    pub(crate) fn new() -> Self {
        Self {
            pending: None,
            ended: VecDeque::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let pending = self.pending.as_ref();
        pending.is_none_or(FuturesUnordered::is_empty) && self.ended.is_empty()
    }

    /// The number of futures whose end was not given.
    pub(crate) fn len(&self) -> usize {
        let pending = self.pending.as_ref().map_or(0, FuturesUnordered::len);
        pending + self.ended.len()
    }

    /// The calls whose end was not given.
    pub(crate) fn keys(&self) -> impl Iterator<Item = K> {
        let pending = self.pending.iter().flatten().map(|keyed| keyed.key);
        pending.chain(self.ended.iter().map(|(key, _)| *key))
    }

    /// Adds a future, which is polled with the next [`poll`](Self::poll).
    pub(crate) fn push(&mut self, key: K, work: F) {
        self.put(Keyed {
            key,
            work,
            passes: false,
        });
    }

    /// Polls a future at once, and adds it if it waits.
    pub(crate) fn start(&mut self, key: K, work: F, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut keyed = Keyed {
            key,
            work,
            passes: false,
        };
        let polled = if has_budget_remaining() {
            Pin::new(&mut keyed).poll(cx)
        } else {
            Poll::Pending
        };
        if polled.is_pending() {
            // It has had its turn, and the set polls at once what is new.
            keyed.passes = true;
            self.put(keyed);
        }
        polled.map(|(_, output)| output)
    }

    fn put(&mut self, keyed: Keyed<K, F>) {
        self.pending.get_or_insert_default().push(keyed);
    }

    /// Drops the future of a call, and what it has ended with.
    /// It gives whether there was one.
    pub(crate) fn remove(&mut self, key: K) -> bool
    where
        K: PartialEq,
    {
        let before = self.len();
        self.ended.retain(|(ended, _)| *ended != key);
        let pending = self.pending.take().into_iter().flatten();
        let mut others: Vec<_> = pending.filter(|keyed| keyed.key != key).collect();
        // The set gives the newest first.
        others.reverse();
        self.pending = (!others.is_empty()).then(|| others.into_iter().collect());
        self.len() < before
    }

    /// Drops all futures.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Polls the futures that were woken. The ends of those that end are given later.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        self.poll_to(ENDS, cx);
    }

    /// Polls the futures that were woken, until so many have ended.
    fn poll_to(&mut self, ends: usize, cx: &mut Context<'_>) {
        let Some(pending) = &mut self.pending else {
            return;
        };
        for _ in 0..ends {
            match pending.poll_next_unpin(cx) {
                Poll::Ready(Some(ended)) => self.ended.push_back(ended),
                Poll::Ready(None) | Poll::Pending => return,
            }
        }
        cx.waker().wake_by_ref();
    }

    /// The next call whose future has ended, and with what. Pending for ever while there is none.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<(K, F::Output)> {
        if self.ended.len() < ENDS {
            self.poll_to(ENDS - self.ended.len(), cx);
        }
        self.ended.pop_front().map_or(Poll::Pending, Poll::Ready)
    }
}

impl<K: Copy + Unpin, F: Future + Unpin> Future for Keyed<K, F> {
    type Output = (K, F::Output);

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if this.passes || !has_budget_remaining() {
            // Without a budget the work would be polled in vain. The set stops at the second future that wakes itself, so
            // that one which spends the budget each time would always be before the same others.
            this.passes = false;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = Pin::new(&mut this.work).poll(cx);
        this.passes = !has_budget_remaining();
        polled.map(|output| (this.key, output))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::poll_fn,
        pin::pin,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering::SeqCst},
        },
    };

    use tokio::sync::oneshot;

    use super::*;
    use toolwright_core::tool::BoxFuture;

    async fn poll_once<F: Future + Unpin>(
        set: &mut CallSet<usize, F>,
    ) -> Option<(usize, F::Output)> {
        poll_fn(|cx| match set.poll_next(cx) {
            Poll::Ready(ended) => Poll::Ready(Some(ended)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }

    #[tokio::test]
    async fn only_the_woken_are_polled_and_all_of_them_before_one_is_given() {
        let polls: [Arc<AtomicUsize>; 3] = Default::default();
        let mut set = CallSet::new();
        let mut senders = Vec::new();
        for (key, polls) in polls.iter().enumerate() {
            let (sender, mut receiver) = oneshot::channel::<()>();
            senders.push(sender);
            let polls = Arc::clone(polls);
            let work = poll_fn(move |cx| {
                polls.fetch_add(1, SeqCst);
                Pin::new(&mut receiver).poll(cx).map(drop)
            });
            set.push(key, work);
        }
        assert!(poll_once(&mut set).await.is_none());
        for sender in senders.drain(1..) {
            sender.send(()).expect("it waits");
        }
        assert_eq!(poll_once(&mut set).await, Some((1, ())));
        assert_eq!(polls.each_ref().map(|polls| polls.load(SeqCst)), [1, 2, 2]);
        assert_eq!(poll_once(&mut set).await, Some((2, ())));
        assert!(poll_once(&mut set).await.is_none() && !set.is_empty());
        drop(senders);
        assert_eq!(poll_once(&mut set).await, Some((0, ())));
        assert!(set.is_empty());
    }

    #[tokio::test]
    async fn only_what_waits_is_added() {
        let mut set: CallSet<usize, BoxFuture<'_, ()>> = CallSet::new();
        let started = poll_fn(|cx| {
            let ends = set.start(0, Box::pin(async {}), cx).is_ready();
            let waits = set.start(1, Box::pin(tokio::task::yield_now()), cx);
            Poll::Ready((ends, waits.is_pending()))
        });
        assert_eq!(started.await, (true, true));
        assert!(poll_once(&mut set).await.is_none(), "it has had its turn");
        assert_eq!(poll_fn(|cx| set.poll_next(cx)).await, (1, ()));
        assert!(set.is_empty());
    }

    #[tokio::test]
    async fn one_that_always_wakes_itself_lets_others_have_their_turn() {
        let mut set: CallSet<usize, BoxFuture<'_, ()>> = CallSet::new();
        let restless = async {
            loop {
                tokio::task::yield_now().await;
            }
        };
        set.push(0, Box::pin(restless));
        set.push(1, Box::pin(tokio::task::yield_now()));
        let (key, ()) = poll_fn(|cx| set.poll_next(cx)).await;
        assert_eq!(key, 1);
        assert!(poll_once(&mut set).await.is_none(), "it comes back");
    }

    #[test]
    fn one_that_always_spends_the_budget_lets_others_have_their_turn() {
        // This runtime wakes at once what it refuses.
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(1).build().expect("starts");
        let restless = || async {
            loop {
                tokio::task::consume_budget().await;
            }
        };
        for before in [true, false] {
            let mut set: CallSet<usize, BoxFuture<'_, ()>> = CallSet::new();
            if before {
                set.push(0, Box::pin(restless()));
            }
            set.push(1, Box::pin(tokio::task::consume_budget()));
            set.push(2, Box::pin(tokio::task::consume_budget()));
            if !before {
                set.push(0, Box::pin(restless()));
            }
            let mut ended = runtime.block_on(async {
                let first = poll_fn(|cx| set.poll_next(cx)).await.0;
                [first, poll_fn(|cx| set.poll_next(cx)).await.0]
            });
            ended.sort_unstable();
            assert_eq!(ended, [1, 2]);
        }
    }

    #[tokio::test]
    async fn those_that_never_wait_do_not_all_end_in_one_turn() {
        let mut set = CallSet::new();
        let polls = Arc::new(AtomicUsize::new(0));
        for key in 0..1_000 {
            let polls = Arc::clone(&polls);
            let work = poll_fn(move |_| {
                polls.fetch_add(1, SeqCst);
                Poll::Ready(())
            });
            set.push(key, work);
        }
        for given in 0..1_000 {
            assert_eq!(poll_once(&mut set).await, Some((given, ())));
            assert!(polls.load(SeqCst) <= given + ENDS);
        }
        assert!(set.is_empty());
    }

    #[tokio::test]
    async fn none_is_polled_in_vain_without_a_budget() {
        let mut set: CallSet<usize, BoxFuture<'_, ()>> = CallSet::new();
        let polls = Arc::new(AtomicUsize::new(0));
        for key in 0..1_000 {
            let polls = Arc::clone(&polls);
            let work = poll_fn(move |cx| {
                polls.fetch_add(1, SeqCst);
                pin!(tokio::task::consume_budget()).poll(cx)
            });
            set.push(key, Box::pin(work));
        }
        let mut turns = 0;
        while !set.is_empty() {
            let polled = poll_fn(|cx| Poll::Ready(set.poll_next(cx))).await;
            turns += usize::from(polled.is_pending());
            if polled.is_pending() {
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(polls.load(SeqCst), 1_000);
        assert!((7..=9).contains(&turns), "{turns} turns");
    }
}
