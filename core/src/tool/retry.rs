//! Retries of calls that failed, and the waits before them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ToolPolicy;
use crate::{ErrorCategory, ToolError};

impl ToolPolicy {
    /// Returns true if a call that failed with this error gets another attempt after so many attempts.
    ///
    /// It gets one if its effects [allow](Self::allowed_retries) one more, if the reason may pass
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

/// The wait between two attempts of a call: exponentially longer, with jitter.
///
/// The wait after attempt `n` is at most `base * 2^(n - 1)`, and not beyond `cap`. It is drawn from the time
/// up to that ([`Jitter`]), so that calls which failed together do not come back together. An error that says
/// how long to wait ([`ToolError::retry_after`]) is waited for at least so long: the wait is drawn from the
/// time after that, from as much of it as the wait would be without, and from a quarter of the hint at least.
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
    /// The part of the longest wait that the wait is drawn from; [`Jitter::Full`] by default.
    pub jitter: Jitter,
}

/// The part of the longest wait that a [`Backoff`] draws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Jitter {
    /// Nothing is drawn: every wait is the longest one.
    None,
    /// The upper half: a wait is at least half as long as the longest one, so that all waits together
    /// outlast an outage for sure.
    Half,
    /// All of it, from 0 on.
    #[default]
    Full,
}

impl Backoff {
    /// A call whose error asks for a longer wait than this fails at once, and its result says how long
    /// to wait: 1 minute.
    pub const LONGEST_HINT: Duration = Duration::from_secs(60);

    /// The longest default wait between two attempts of a call: 10 seconds.
    pub const CAP: Duration = Duration::from_secs(10);

    /// The default waits before a request to a model is repeated: from half a second to a second, doubling
    /// up to 4 to 8 seconds. The 4 waits of a request that is sent as often as the [limits](crate::Limits)
    /// allow are 7.5 to 15 seconds together, which outlasts an outage of a few seconds.
    pub const MODEL: Self =
        Self::new(Duration::from_secs(1), Duration::from_secs(8)).with_jitter(Jitter::Half);

    /// From the longest wait after the first attempt to the longest wait at all, with full jitter.
    pub const fn new(base: Duration, cap: Duration) -> Self {
        Self {
            base,
            cap,
            jitter: Jitter::Full,
        }
    }

    /// Sets where the wait is drawn from.
    pub const fn with_jitter(mut self, jitter: Jitter) -> Self {
        self.jitter = jitter;
        self
    }

    /// Without jitter: for a test, or where calls never come together.
    pub const fn without_jitter(self) -> Self {
        self.with_jitter(Jitter::None)
    }

    /// Returns the wait after so many attempts. `hint` is the wait that the error asks for: the result is
    /// never less than that, up to [`LONGEST_HINT`](Self::LONGEST_HINT). `chance` is drawn by the caller,
    /// evenly between 0 and 1.
    pub fn wait(&self, attempts: u32, hint: Option<Duration>, chance: f64) -> Duration {
        let doubled = 1_u32.checked_shl(attempts.saturating_sub(1));
        let longest = doubled.map_or(self.cap, |times| self.base.saturating_mul(times));
        let longest = longest.min(self.cap);
        let wait = match self.jitter {
            Jitter::None => longest,
            Jitter::Half => (longest / 2).saturating_add(part(longest / 2, chance)),
            Jitter::Full => part(longest, chance),
        };
        let Some(hint) = hint else {
            return wait;
        };
        let hint = hint.min(Self::LONGEST_HINT);
        // Callers with the same wait would come back at the same time.
        let spread = match self.jitter {
            Jitter::None => Duration::ZERO,
            Jitter::Half | Jitter::Full => part(longest.max(hint / 4), chance),
        };
        wait.max(hint.saturating_add(spread))
    }
}

/// A part of a time. `NaN` draws nothing, so that the part is all of it.
fn part(longest: Duration, chance: f64) -> Duration {
    let seconds = longest.as_secs_f64() * chance.clamp(0.0, 1.0);
    Duration::try_from_secs_f64(seconds).map_or(longest, |drawn| drawn.min(longest))
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(Duration::from_millis(200), Self::CAP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effects;

    const CHANCES: [f64; 7] = [0.0, 0.3, 0.999, 1.0, -1.0, 7.0, f64::NAN];

    #[test]
    fn a_wait_is_within_its_bounds_and_no_shorter_than_the_hint() {
        let backoffs = [
            Backoff::default(),
            Backoff::MODEL,
            Backoff::default().without_jitter(),
            Backoff::new(Duration::ZERO, Duration::ZERO),
            Backoff::new(Duration::MAX, Duration::MAX),
            Backoff::new(Duration::MAX, Duration::MAX).with_jitter(Jitter::Half),
        ];
        let hints = [0, 1, 10, 2_000, 20_000, 60_000, u64::MAX].map(Duration::from_millis);
        for backoff in backoffs {
            for attempts in [0, 1, 2, 6, 31, 32, 33, u32::MAX] {
                let longest = backoff.without_jitter().wait(attempts, None, 0.0);
                assert!(longest <= backoff.cap);
                for chance in CHANCES {
                    let wait = backoff.wait(attempts, None, chance);
                    assert!(wait <= longest);
                    if backoff.jitter == Jitter::Half {
                        assert!(wait >= longest / 2);
                    }
                    for hint in hints {
                        let hinted = backoff.wait(attempts, Some(hint), chance);
                        let hint = hint.min(Backoff::LONGEST_HINT);
                        assert!(hinted >= hint.max(wait), "{backoff:?} {hint:?} {chance}");
                        let most = hint.saturating_add(longest.max(hint / 4));
                        assert!(hinted <= most, "{backoff:?} {hint:?} {chance}");
                    }
                }
            }
        }
        let third = Backoff::default().wait(3, None, 0.25);
        assert_eq!(third, Duration::from_millis(200), "a quarter of 800 ms");
        let told = Backoff::default().without_jitter();
        let hint = Duration::from_secs(20);
        assert_eq!(told.wait(1, Some(hint), 0.5), hint);
    }

    #[test]
    fn those_that_are_told_the_same_time_come_back_apart() {
        for (backoff, hint) in [
            (Backoff::MODEL, 2),
            (Backoff::MODEL, 60),
            (Backoff::default(), 60),
        ] {
            let hint = Duration::from_secs(hint);
            let chances = [0.1, 0.2, 0.3, 0.4];
            let waits = chances.map(|chance| backoff.wait(1, Some(hint), chance));
            for pair in waits.windows(2) {
                assert!(pair[1] >= pair[0] + Duration::from_millis(50), "{waits:?}");
            }
        }
    }

    #[test]
    fn the_waits_of_a_model_outlast_an_outage() {
        for chance in CHANCES {
            let waits =
                (1..=crate::Limits::MODEL_RETRIES).map(|n| Backoff::MODEL.wait(n, None, chance));
            let total: Duration = waits.sum();
            let bounds = Duration::from_millis(7_500)..=Duration::from_secs(15);
            assert!(bounds.contains(&total), "{chance}: {total:?}");
        }
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
