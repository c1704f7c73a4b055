//! One request connects where many would: over HTTP/2 all of them share what it gets.

use std::{
    collections::{HashMap, HashSet},
    convert::Infallible,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::timeout;
use toolwright_core::{driver::Mutex, tool::CancellationToken};

/// Of how many servers it is known that requests cannot share connections.
const MOST: usize = 256;

/// The attempts to connect, one for each server. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Connecting(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// The request that connects.
    first: HashMap<String, Arc<Attempt>>,
    /// Servers that speak HTTP/1.1, where each request needs a connection of its own.
    unshared: HashSet<String>,
}

/// One request connects.
#[derive(Debug, Default)]
struct Attempt {
    /// Says that it does so no more.
    over: CancellationToken,
    /// It was given up before it had connected or failed.
    given_up: AtomicBool,
}

/// Held by the request that connects, as long as it goes on. When it has connected or failed, those that
/// wait go on; when it is given up, one of them takes over.
#[derive(Debug)]
pub(super) struct First(Place);

/// An attempt to connect, with its server and the table that holds it.
#[derive(Debug, Clone)]
struct Place {
    connecting: Connecting,
    origin: String,
    attempt: Arc<Attempt>,
}

impl Connecting {
    /// Waits while another request connects to the server, for no longer than connecting may take.
    /// If none does, this one is the first, and says with what it is given when it has.
    pub(super) async fn enter(&self, origin: &str, wait: Duration) -> Option<First> {
        timeout(wait, self.turn(origin)).await.ok().flatten()
    }

    async fn turn(&self, origin: &str) -> Option<First> {
        loop {
            let attempt = {
                let mut state = self.0.lock();
                if state.unshared.contains(origin) {
                    return None;
                }
                if let Some(attempt) = state.first.get(origin) {
                    Arc::clone(attempt)
                } else {
                    let attempt = Arc::default();
                    state.first.insert(origin.to_owned(), Arc::clone(&attempt));
                    return Some(First(Place {
                        connecting: self.clone(),
                        origin: origin.to_owned(),
                        attempt,
                    }));
                }
            };
            attempt.over.cancelled().await;
            if !attempt.given_up.load(Ordering::SeqCst) {
                // It has connected or failed: there is nobody to wait for any more.
                return None;
            }
        }
    }

    /// Remembers that the server speaks HTTP/1.1.
    pub(super) fn is_unshared(&self, origin: &str) {
        let mut state = self.0.lock();
        if !state.unshared.contains(origin) && state.unshared.len() < MOST {
            state.unshared.insert(origin.to_owned());
        }
    }
}

impl Place {
    fn end(&self, given_up: bool) {
        let attempt = &self.attempt;
        if attempt.over.is_cancelled() {
            return;
        }
        let mut state = self.connecting.0.lock();
        if let Some(present) = state.first.get(&self.origin)
            && Arc::ptr_eq(present, attempt)
        {
            state.first.remove(&self.origin);
        }
        drop(state);
        if given_up {
            attempt.given_up.store(true, Ordering::SeqCst);
        }
        attempt.over.cancel();
    }
}

impl First {
    /// It has connected or failed.
    pub(super) fn end(self) {
        self.0.end(false);
    }
}

impl Drop for First {
    fn drop(&mut self) {
        self.0.end(true);
    }
}

/// The body of a request. It is asked for its bytes once there is a connection.
pub(super) struct FirstBody {
    bytes: Option<Bytes>,
    place: Option<Place>,
}

impl FirstBody {
    pub(super) fn new(bytes: Bytes, first: &First) -> Self {
        Self {
            bytes: Some(bytes),
            place: Some(first.0.clone()),
        }
    }
}

impl Body for FirstBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(place) = self.place.take() {
            place.end(false);
        }
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let bytes = self.bytes.as_ref().map_or(0, Bytes::len);
        SizeHint::with_exact(bytes as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, pin::pin};

    use super::*;

    const ORIGIN: &str = "https://example.com";
    const WAIT: Duration = Duration::from_secs(10);

    async fn poll<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
        poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await
    }

    #[tokio::test(start_paused = true)]
    async fn one_takes_over_from_a_first_that_is_given_up() {
        let connecting = Connecting::default();
        let first = connecting.enter(ORIGIN, WAIT).await.expect("is first");
        let body = FirstBody::new(Bytes::from_static(b"{}"), &first);
        let mut next = pin!(connecting.enter(ORIGIN, WAIT));
        let mut last = pin!(connecting.enter(ORIGIN, WAIT));
        assert!(poll(next.as_mut()).await.is_pending() && poll(last.as_mut()).await.is_pending());
        drop((body, first));
        let Poll::Ready(Some(first)) = poll(next.as_mut()).await else {
            panic!("the next one connects");
        };
        assert!(
            poll(last.as_mut()).await.is_pending(),
            "and the last one waits"
        );
        first.end();
        assert!(matches!(poll(last.as_mut()).await, Poll::Ready(None)));
    }

    #[tokio::test(start_paused = true)]
    async fn all_go_on_once_there_is_a_connection() {
        let connecting = Connecting::default();
        let first = connecting.enter(ORIGIN, WAIT).await.expect("is first");
        let mut body = FirstBody::new(Bytes::from_static(b"{}"), &first);
        let mut others = [(); 3].map(|()| Box::pin(connecting.enter(ORIGIN, WAIT)));
        for other in &mut others {
            assert!(poll(other.as_mut()).await.is_pending());
        }
        poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await;
        for other in &mut others {
            assert!(matches!(poll(other.as_mut()).await, Poll::Ready(None)));
        }
        // Who gives up now keeps nobody.
        drop(first);
        let next = connecting.enter(ORIGIN, WAIT).await;
        assert!(next.is_some(), "nobody connects any more");
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_longer_than_connecting_may_take() {
        let connecting = Connecting::default();
        let _first = connecting.enter(ORIGIN, WAIT).await.expect("is first");
        let from = tokio::time::Instant::now();
        assert!(connecting.enter(ORIGIN, WAIT).await.is_none());
        assert_eq!(from.elapsed(), WAIT);
    }
}
