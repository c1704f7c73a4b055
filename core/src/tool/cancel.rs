//! Telling running work to stop.

use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

use crate::mutex::Mutex;

/// A request to stop that many can see and that is never taken back.
///
/// Clones are the same token. A [child](Self::child) is cancelled with its parent, and by itself
/// without it. It needs no executor, so that a tool can be written and tested on any.
#[derive(Clone, Default)]
pub struct CancellationToken(Arc<Node>);

#[derive(Default)]
struct Node {
    cancelled: AtomicBool,
    waiting: Mutex<Waiting>,
    parent: Option<CancellationToken>,
}

#[derive(Default)]
struct Waiting {
    next_key: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl CancellationToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that is cancelled with this one, or alone.
    pub fn child(&self) -> Self {
        let mut node = Node::default();
        node.parent = Some(self.clone());
        Self(Arc::new(node))
    }

    /// Cancels, for good. Doing it twice changes nothing.
    pub fn cancel(&self) {
        if self.0.cancelled.swap(true, Ordering::SeqCst) {
            return;
        }
        let wakers = std::mem::take(&mut self.0.waiting.lock().wakers);
        wakers.into_values().for_each(Waker::wake);
    }

    /// Returns true if this token or one above it was cancelled.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        let mut node = &*self.0;
        loop {
            if node.cancelled.load(Ordering::SeqCst) {
                return true;
            }
            match &node.parent {
                Some(parent) => node = &parent.0,
                None => return false,
            }
        }
    }

    /// Waits until the token is cancelled; at once if it is.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled {
            token: self.clone(),
            keys: Vec::new(),
        }
    }

    fn ancestors(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(Some(&*self.0), |node| {
            node.parent.as_ref().map(|parent| &*parent.0)
        })
    }
}

/// A long chain of children is dropped link by link, not one inside the other.
impl Drop for Node {
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(token) = next {
            next = Arc::into_inner(token.0).and_then(|mut node| node.parent.take());
        }
    }
}

impl fmt::Debug for CancellationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancellationToken")
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// The future of [`CancellationToken::cancelled`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Cancelled {
    token: CancellationToken,
    /// This future's key in the list of each token from here upwards; empty before the first poll.
    keys: Vec<u64>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let first = this.keys.is_empty();
        for (index, node) in this.token.ancestors().enumerate() {
            let mut waiting = node.waiting.lock();
            if first {
                this.keys.push(waiting.next_key);
                waiting.next_key += 1;
            }
            waiting.wakers.insert(this.keys[index], cx.waker().clone());
        }
        // Looked at after the wakers are in place: a cancel that came before is seen here, and one
        // that comes now finds them.
        if this.token.is_cancelled() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        for (key, node) in self.keys.iter().zip(self.token.ancestors()) {
            node.waiting.lock().wakers.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        sync::atomic::{AtomicUsize, Ordering},
        task::Wake,
    };

    use super::*;

    #[derive(Default)]
    struct Counter(AtomicUsize);
    impl Wake for Counter {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_child_wakes_with_its_parent_and_not_the_other_way() {
        let parent = CancellationToken::new();
        let (child, sibling) = (parent.child(), parent.child());
        let woken = Arc::new(Counter::default());
        let waker = Waker::from(Arc::clone(&woken));
        let mut wait = pin!(sibling.cancelled());
        assert!(
            wait.as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        );

        child.cancel();
        assert!(child.is_cancelled() && !parent.is_cancelled() && !sibling.is_cancelled());
        assert_eq!(woken.0.load(Ordering::SeqCst), 0);

        parent.cancel();
        assert_eq!(woken.0.load(Ordering::SeqCst), 1);
        assert!(
            wait.as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_ready()
        );
    }

    #[test]
    fn a_long_chain_of_children_can_be_dropped() {
        let mut token = CancellationToken::new();
        for _ in 0..500_000 {
            token = token.child();
        }
        drop(token);
    }

    #[test]
    fn a_dropped_wait_leaves_nothing_behind() {
        let token = CancellationToken::new();
        {
            let mut wait = pin!(token.cancelled());
            assert!(
                wait.as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()))
                    .is_pending()
            );
            assert_eq!(token.0.waiting.lock().wakers.len(), 1);
        }
        assert_eq!(token.0.waiting.lock().wakers.len(), 0);
    }
}
