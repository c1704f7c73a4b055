//! The limit on how often a tool may be called.

use std::{num::NonZeroU32, time::Duration};

use serde::{Deserialize, Serialize};

/// A limit on how often calls of a tool may start: so many in a period, and at most so many at once.
///
/// ```
/// use std::time::Duration;
/// use toolwright::rate_limit::{OnExcess, RateLimit};
///
/// let limit = RateLimit::per_minute(30).with_on_excess(OnExcess::Fail);
/// assert_eq!(limit.period, Duration::from_secs(60));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RateLimit {
    /// The number of calls that may start in a period, even all at once.
    pub calls: NonZeroU32,
    /// The length of a period.
    pub period: Duration,
    /// The treatment of a call that comes too early; [`OnExcess::Wait`] by default.
    #[serde(default)]
    pub on_excess: OnExcess,
}

/// The treatment of a call that comes too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnExcess {
    /// It waits for its turn. The wait does not count as run time.
    #[default]
    Wait,
    /// It fails with `RateLimited`, and says when to try again.
    Fail,
}

impl RateLimit {
    /// So many calls in a period; 0 is taken as 1.
    pub const fn new(calls: u32, period: Duration) -> Self {
        let calls = match NonZeroU32::new(calls) {
            Some(calls) => calls,
            None => NonZeroU32::MIN,
        };
        Self {
            calls,
            period,
            on_excess: OnExcess::Wait,
        }
    }

    /// So many calls a second; 0 is taken as 1.
    pub const fn per_second(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(1))
    }

    /// So many calls a minute; 0 is taken as 1.
    pub const fn per_minute(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(60))
    }

    /// So many calls an hour; 0 is taken as 1.
    pub const fn per_hour(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(60 * 60))
    }

    /// Sets what becomes of a call that comes too early.
    pub const fn with_on_excess(mut self, on_excess: OnExcess) -> Self {
        self.on_excess = on_excess;
        self
    }
}
