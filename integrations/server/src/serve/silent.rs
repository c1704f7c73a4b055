//! Connections that have asked nothing yet. Where there is no place for another one, the oldest of them goes: so those that
//! begin a request and do not end it keep nobody out.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering::SeqCst},
    },
};

use toolwright_runtime::CancellationToken;

const SILENT: u8 = 0;
const HAS_ASKED: u8 = 1;
const SENT_AWAY: u8 = 2;

/// A connection, as the one who accepts and the one who serves see it.
#[derive(Clone, Default)]
pub(super) struct Guest {
    state: Arc<AtomicU8>,
    away: CancellationToken,
}

impl Guest {
    /// Says that a request has come. It gives false if the connection was sent away before.
    pub(super) fn asks(&self) -> bool {
        let asked = self
            .state
            .compare_exchange(SILENT, HAS_ASKED, SeqCst, SeqCst);
        asked != Err(SENT_AWAY)
    }

    /// Returns when the connection is sent away.
    pub(super) async fn sent_away(&self) {
        self.away.cancelled().await;
    }

    fn send_away(&self) -> bool {
        let sent = self
            .state
            .compare_exchange(SILENT, SENT_AWAY, SeqCst, SeqCst);
        if sent.is_ok() {
            self.away.cancel();
        }
        sent.is_ok()
    }

    /// Returns false if it has asked, or nobody serves it any more.
    fn is_silent(&self) -> bool {
        self.state.load(SeqCst) == SILENT && Arc::strong_count(&self.state) > 1
    }
}

/// The connections that have asked nothing yet, oldest first, and some that have.
#[derive(Default)]
pub(super) struct Silent {
    guests: VecDeque<Guest>,
    /// The number of them after the last look.
    known: usize,
}

impl Silent {
    /// A new connection.
    pub(super) fn guest(&mut self) -> Guest {
        // Each look takes as long as what has come since then.
        if self.guests.len() > 2 * self.known + 64 {
            self.guests.retain(Guest::is_silent);
            self.known = self.guests.len();
        }
        let guest = Guest::default();
        self.guests.push_back(guest.clone());
        guest
    }

    /// Sends the oldest one away that is there.
    pub(super) fn send_one_away(&mut self) {
        while let Some(guest) = self.guests.pop_front() {
            if guest.is_silent() && guest.send_away() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Silent;

    #[test]
    fn the_oldest_that_is_silent_goes() {
        let mut silent = Silent::default();
        let [first, second, third] = [(); 3].map(|()| silent.guest());
        assert!(first.asks() && first.asks());
        silent.send_one_away();
        assert!(first.asks() && !second.asks());
        drop(second);
        silent.send_one_away();
        assert!(!third.asks());
        silent.send_one_away();
        assert!(first.asks());
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
        assert!(!stays.asks());
    }
}
