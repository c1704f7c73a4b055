//! Whether a call that failed gets another attempt, and when.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ToolPolicy;
use crate::{ErrorCategory, ToolError};

impl ToolPolicy {
    /// Whether a call that failed so gets another attempt, after so many.
    ///
    /// It does if its effects [allow](Self::allowed_retries) one more, if the reason may pass
    /// (`RateLimited`, `NetworkError`, `ExecutionTimeout`), if the attempt is not
    /// [still running](ToolError::still_running), and if the error does not ask for a longer wait than
    /// [`Backoff::LONGEST_HINT`].
    pub fn retries_after(&self, error: &ToolError, attempts: u32) -> bool {
        let may_pass = !error.still_running
            && matches!(
                error.category,
                ErrorCategory::RateLimited
                    | ErrorCategory::NetworkError
                    | ErrorCategory::ExecutionTimeout
            );
        let hint = error.retry_after.unwrap_or_default();
        may_pass && hint <= Backoff::LONGEST_HINT && attempts <= self.allowed_retries()
    }
}

/// How long a call waits between two attempts: exponentially longer, with full jitter.
///
/// The wait after attempt `n` is drawn evenly from 0 to `base * 2^(n - 1)`, but not beyond `cap`, so
/// that calls which failed together do not come back together. An error that says how long to wait
/// ([`ToolError::retry_after`]) is waited for at least so long.
///
/// ```
/// use std::time::Duration;
/// use toolwright::tool::Backoff;
///
/// let backoff = Backoff::default().without_jitter();
/// let wait = |attempts| backoff.wait(attempts, None, 0.5);
/// assert_eq!((wait(1), wait(2)), (Duration::from_millis(200), Duration::from_millis(400)));
/// assert_eq!(wait(1_000), Duration::from_secs(10));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Backoff {
    /// The longest wait after the first attempt; 200 ms by default. It doubles with each attempt.
    pub base: Duration,
    /// No wait is longer, unless an error asks for it; 10 seconds by default.
    pub cap: Duration,
    /// Whether the wait is drawn from the time up to the longest one; it is by default. Without, it
    /// is the longest one.
    pub jitter: bool,
}

impl Backoff {
    /// A call whose error asks for a longer wait than this fails at once, and its result says how long
    /// to wait: 1 minute.
    pub const LONGEST_HINT: Duration = Duration::from_secs(60);

    /// The waits before a model is asked again, unless set: up to half a second, doubling to at most 8
    /// seconds, as in the providers' own clients.
    pub const MODEL: Self = Self::new(Duration::from_millis(500), Duration::from_secs(8));

    /// From the longest wait after the first attempt to the longest wait at all, with jitter.
    pub const fn new(base: Duration, cap: Duration) -> Self {
        Self {
            base,
            cap,
            jitter: true,
        }
    }

    /// Without jitter: for a test, or where calls never come together.
    pub const fn without_jitter(mut self) -> Self {
        self.jitter = false;
        self
    }

    /// How long to wait after so many attempts, if the error asks for a wait of `hint`. `chance` is
    /// drawn by the caller, evenly between 0 and 1.
    pub fn wait(&self, attempts: u32, hint: Option<Duration>, chance: f64) -> Duration {
        let doubled = 1_u32.checked_shl(attempts.saturating_sub(1));
        let longest = doubled.map_or(self.cap, |times| self.base.saturating_mul(times));
        let mut wait = longest.min(self.cap);
        if self.jitter {
            // `NaN` draws nothing, so that the wait is the longest one.
            let seconds = wait.as_secs_f64() * chance.clamp(0.0, 1.0);
            wait = Duration::try_from_secs_f64(seconds).map_or(wait, |drawn| drawn.min(wait));
        }
        wait.max(hint.unwrap_or_default().min(Self::LONGEST_HINT))
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(Duration::from_millis(200), Duration::from_secs(10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effects;

    #[test]
    fn a_wait_is_within_its_bounds_and_no_shorter_than_the_hint() {
        let backoffs = [
            Backoff::default(),
            Backoff::default().without_jitter(),
            Backoff::new(Duration::ZERO, Duration::ZERO),
            Backoff::new(Duration::MAX, Duration::MAX),
        ];
        for backoff in backoffs {
            for attempts in [0, 1, 2, 6, 31, 32, 33, u32::MAX] {
                for chance in [0.0, 0.3, 1.0, -1.0, 7.0, f64::NAN] {
                    let wait = backoff.wait(attempts, None, chance);
                    assert!(wait <= backoff.cap);
                    let hint = Duration::from_secs(20);
                    assert_eq!(backoff.wait(attempts, Some(hint), chance), wait.max(hint));
                }
            }
        }
        let third = Backoff::default().wait(3, None, 0.25);
        assert_eq!(third, Duration::from_millis(200), "a quarter of 800 ms");
    }

    #[test]
    fn only_what_may_pass_and_writes_nothing_is_repeated() {
        let network = ToolError::new(ErrorCategory::NetworkError, "gone");
        for effects in [Effects::ReadOnly, Effects::Idempotent] {
            let policy = ToolPolicy::default().with_effects(effects);
            let attempts = (1..9).filter(|&attempt| policy.retries_after(&network, attempt));
            assert_eq!(attempts.collect::<Vec<_>>(), [1, 2]);
            let late = network.clone().with_retry_after(Duration::from_hours(1));
            assert!(!policy.retries_after(&late, 1));
            let mut runs_on = ToolError::new(ErrorCategory::ExecutionTimeout, "slow");
            runs_on.still_running = true;
            assert!(!policy.retries_after(&runs_on, 1));
            let repeated = ErrorCategory::ALL
                .into_iter()
                .filter(|&category| policy.retries_after(&ToolError::new(category, "no"), 1));
            assert_eq!(
                repeated.collect::<Vec<_>>(),
                [
                    ErrorCategory::RateLimited,
                    ErrorCategory::ExecutionTimeout,
                    ErrorCategory::NetworkError
                ]
            );
        }
        let writes = ToolPolicy::default().with_retries(5);
        assert!(!writes.retries_after(&network, 1));
    }
}
