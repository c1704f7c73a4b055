//! Connections that ask nothing. When all slots are taken, the connection that has been idle longest is closed:
//! unfinished requests and rare ones lock no client out.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use toolwright_core::CancellationToken;

/// The number of requests of a connection that was sent away.
const SENT_AWAY: usize = usize::MAX;

/// A connection, as the one who accepts and the one who serves see it.
#[derive(Clone)]
pub(super) struct Guest(Arc<State>);

struct State {
    /// The requests under way.
    requests: AtomicUsize,
    has_asked: AtomicBool,
    /// When it has fallen silent, by the clock of all.
    since: AtomicU64,
    clock: Arc<AtomicU64>,
    away: CancellationToken,
}

impl Guest {
    fn new(clock: &Arc<AtomicU64>) -> Self {
        Self(Arc::new(State {
            requests: AtomicUsize::new(0),
            has_asked: AtomicBool::new(false),
            since: AtomicU64::new(clock.fetch_add(1, SeqCst)),
            clock: Arc::clone(clock),
            away: CancellationToken::new(),
        }))
    }

    /// Says that a request has come, which is under way until what is given is dropped. `None` if the connection was sent
    /// away before.
    pub(super) fn asks(&self) -> Option<Request> {
        // There is none after the greatest number, which says that it was sent away.
        let one_more = |requests: usize| requests.checked_add(1);
        let asked = self.0.requests.fetch_update(SeqCst, SeqCst, one_more);
        asked.ok()?;
        self.0.has_asked.store(true, SeqCst);
        Some(Request(self.clone()))
    }

    /// Returns true if it has asked something before it fell silent. What is left of the answer may still be on its way.
    pub(super) fn has_asked(&self) -> bool {
        self.0.has_asked.load(SeqCst)
    }

    /// Returns when the connection is sent away.
    pub(super) async fn sent_away(&self) {
        self.0.away.cancelled().await;
    }

    fn send_away(&self) -> bool {
        let sent = (self.0.requests).compare_exchange(0, SENT_AWAY, SeqCst, SeqCst);
        if sent.is_ok() {
            self.0.away.cancel();
        }
        sent.is_ok()
    }

    fn is_silent(&self) -> bool {
        self.0.requests.load(SeqCst) == 0
    }

    /// Returns false if nobody serves it any more.
    fn is_there(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

/// A request under way.
pub(super) struct Request(Guest);

impl Drop for Request {
    fn drop(&mut self) {
        let state = &self.0.0;
        state.since.store(state.clock.fetch_add(1, SeqCst), SeqCst);
        // It is not sent away before.
        state.requests.fetch_sub(1, SeqCst);
    }
}

/// The body of a response, whose request is under way until it is taken.
pub(super) struct ResponseBody {
    pub(super) body: Body,
    /// It is given back when it is dropped.
    #[expect(dead_code, reason = "it is held, not read")]
    pub(super) request: Option<Request>,
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// All connections, and some that are gone.
#[derive(Default)]
pub(super) struct Silent {
    guests: Vec<Guest>,
    /// The number of them after the last look.
    known: usize,
    /// It goes on by one whenever a connection comes or falls silent.
    clock: Arc<AtomicU64>,
}

impl Silent {
    /// A new connection.
    pub(super) fn guest(&mut self) -> Guest {
        // Each look takes as long as what has come since then.
        if self.guests.len() > 2 * self.known + 64 {
            self.guests.retain(Guest::is_there);
            self.known = self.guests.len();
        }
        let guest = Guest::new(&self.clock);
        self.guests.push(guest.clone());
        guest
    }

    /// Sends the one away that has asked nothing for the longest time, if there is one.
    pub(super) fn send_one_away(&mut self) {
        // One may begin to ask meanwhile: then it is the turn of the next.
        loop {
            let silent = self.guests.iter().filter(|guest| guest.is_silent());
            let silent = silent.filter(|guest| guest.is_there());
            let longest = silent.min_by_key(|guest| guest.0.since.load(SeqCst));
            if longest.is_none_or(Guest::send_away) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Silent;

    #[test]
    fn the_one_that_is_silent_for_the_longest_time_goes() {
        let mut silent = Silent::default();
        let [first, second, third] = [(); 3].map(|()| silent.guest());
        let asked = first.asks();
        assert!(asked.is_some() && first.asks().is_some());
        silent.send_one_away();
        assert!(first.asks().is_some() && second.asks().is_none());
        drop(second);
        // The first falls silent later than the third.
        drop(asked);
        silent.send_one_away();
        assert!(third.asks().is_none() && !third.has_asked());
        silent.send_one_away();
        assert!(first.asks().is_none() && first.has_asked());
    }

    #[test]
    fn who_waits_for_an_answer_stays() {
        let mut silent = Silent::default();
        let guest = silent.guest();
        let asked = guest.asks();
        silent.send_one_away();
        drop(asked);
        assert!(guest.asks().is_some());
    }

    #[test]
    fn those_that_are_gone_are_not_kept() {
        let mut silent = Silent::default();
        let stays = silent.guest();
        for _ in 0..10_000 {
            drop(silent.guest());
        }
        assert!(silent.guests.len() < 200);
        silent.send_one_away();
        assert!(stays.asks().is_none());
    }
}
