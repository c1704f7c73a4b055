//! Waits between tries.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// A first try and a second one are made at once. Each one after that waits twice as long as the one before.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    tries: u32,
    last: Option<Instant>,
}

const FIRST: Duration = Duration::from_millis(100);
/// After this time without a try, what was before is forgotten.
const LONGEST: Duration = Duration::from_secs(30);

impl Backoff {
    /// Waits for the time of the next try, and counts it.
    ///
    /// # Cancel safety
    ///
    /// A wait that is dropped counts nothing.
    pub(crate) async fn wait(&mut self) {
        sleep_until(self.due(Instant::now())).await;
        self.tried(Instant::now());
    }

    /// When the next try is due.
    fn due(&mut self, now: Instant) -> Instant {
        let Some(last) = self.last else { return now };
        if now.saturating_duration_since(last) > LONGEST {
            self.tries = 0;
        }
        let Some(doubled) = self.tries.checked_sub(2) else {
            return now;
        };
        let factor = 1_u32.checked_shl(doubled).unwrap_or(u32::MAX);
        last + FIRST.saturating_mul(factor).min(LONGEST)
    }

    fn tried(&mut self, now: Instant) {
        self.tries = self.tries.saturating_add(1);
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Backoff, LONGEST};

    #[test]
    fn waits_grow_up_to_the_longest_and_are_forgotten() {
        let (mut backoff, mut now) = (Backoff::default(), Instant::now());
        let mut next = |passed: Duration| {
            now += passed;
            let wait = backoff.due(now) - now;
            now += wait;
            backoff.tried(now);
            wait
        };
        let waits: Vec<_> = (0..40).map(|_| next(Duration::ZERO)).collect();
        let millis: Vec<_> = waits.iter().take(5).map(Duration::as_millis).collect();
        assert_eq!(millis, [0, 0, 100, 200, 400]);
        assert_eq!(waits.last(), Some(&LONGEST));
        assert_eq!(next(LONGEST * 2), Duration::ZERO);
        assert_eq!(next(Duration::ZERO), Duration::ZERO);
    }
}
