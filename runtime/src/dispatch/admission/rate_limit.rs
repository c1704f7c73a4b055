//! Limits on how often the calls of a tool may start.

use std::{fmt, time::Duration};

use tokio::time::Instant;

use super::starts::{QueuePlace, StartTime, Starts};
use crate::dispatch::wait;
use toolwright_core::{
    ErrorCategory, ToolError,
    tool::{OnExcess, RateLimit},
};

/// Enforces the rate limits of tools: in any time span of a limit's period, at most the allowed number of calls starts.
///
/// Cheap to clone; clones share the limits. Tools are distinguished by their names. Every
/// [`Toolset`](toolwright_core::Toolset) has one for its own dispatches, and every [`Runner`](crate::Runner) one for
/// all of its runs.
///
/// It remembers when each call of the current period started, and how many wait. Time is
/// tokio's, which tests can pause.
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// use toolwright::rate_limit::{Admission, OnExcess, RateLimit, RateLimiter};
///
/// let limiter = RateLimiter::new();
/// let limit = RateLimit::per_minute(1);
/// assert!(matches!(limiter.admit("search", limit), Admission::Now));
/// let Admission::After(turn) = limiter.admit("search", limit) else { panic!() };
/// assert_eq!(turn.wait().as_secs(), 60);
/// let impatient = limit.with_on_excess(OnExcess::Fail);
/// assert!(matches!(limiter.admit("search", impatient), Admission::Refused { .. }));
/// turn.come().await;
/// # }
/// ```
#[derive(Clone, Default)]
pub struct RateLimiter {
    starts: Starts,
}

/// The answer of a rate limiter: whether a call may start.
#[derive(Debug)]
#[non_exhaustive]
pub enum Admission {
    /// It may start now, and counts as started.
    Now,
    /// It may start when its turn comes. Calls of a tool start in the order in which they were
    /// admitted.
    After(Reservation),
    /// It may not start.
    Refused {
        /// The time until a call may start.
        retry_after: Duration,
    },
}

/// The reservation of a start for a call that waits. Dropping it before the call has [started](Self::start) releases
/// it. If a later call already waits, the start passes unused instead.
pub struct Reservation {
    place: Option<QueuePlace>,
    limit: RateLimit,
    starts: Starts,
}

impl RateLimiter {
    /// Creates a limiter without any starts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks whether a call of the tool of this name may start. It never waits itself.
    pub fn admit(&self, name: &str, limit: RateLimit) -> Admission {
        let now = now();
        match (self.starts.ask(name, limit, now), limit.on_excess) {
            (StartTime::Now, _) => Admission::Now,
            (StartTime::At(at), OnExcess::Fail) => Admission::Refused {
                retry_after: at.saturating_duration_since(now),
            },
            (StartTime::At(_), OnExcess::Wait) => Admission::After(Reservation {
                place: Some(self.starts.queue(name, now)),
                limit,
                starts: self.starts.clone(),
            }),
        }
    }
}

impl Reservation {
    /// Returns the time until the reservation comes, as far as is known now; zero once it has come. It comes later if
    /// earlier calls start later than they might have.
    pub fn wait(&self) -> Duration {
        let now = now();
        let when = |place| self.starts.when(place, self.limit, now);
        let at = self.place.as_ref().map_or(now, when);
        at.saturating_duration_since(now)
    }

    /// Returns true if the call would start now, also before earlier ones that have come and have not asked.
    pub(crate) fn may_start(&self) -> bool {
        let may = |place| self.starts.may_start(place, self.limit, now());
        self.place.as_ref().is_none_or(may)
    }

    /// Asks whether the call may start now that its turn has come. If it may, it counts as started. A turn
    /// that is used late may have to wait once more: what started meanwhile counts.
    pub fn start(mut self) -> Admission {
        let Some(place) = self.place.take() else {
            return Admission::Now;
        };
        match self.starts.start(&place, self.limit, now()) {
            StartTime::Now => Admission::Now,
            StartTime::At(_) => {
                self.place = Some(place);
                Admission::After(self)
            }
        }
    }

    /// Waits until it comes, and counts the call as started.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime that has its timer enabled.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future gives the turn back.
    pub async fn come(self) {
        let mut turn = self;
        loop {
            wait(turn.wait()).await;
            match turn.start() {
                Admission::After(later) => turn = later,
                _ => return,
            }
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(place) = &self.place {
            self.starts.leave(place);
        }
    }
}

/// The error of a call that came too early.
pub(crate) fn rate_limited(name: &str, retry_after: Duration) -> ToolError {
    let wait = rounded_up(retry_after);
    let message = format!("`{name}` was called too often; call it again in {wait:?}");
    ToolError::new(ErrorCategory::RateLimited, message).with_retry_after(retry_after)
}

/// Rounds up to whole seconds, or to milliseconds below one second.
fn rounded_up(wait: Duration) -> Duration {
    let unit = match wait.as_secs() {
        0 => Duration::from_millis(1),
        _ => Duration::from_secs(1),
    };
    let units = wait.as_nanos().div_ceil(unit.as_nanos());
    // In units it is no more than 2^64 seconds.
    u64::try_from(units).map_or(Duration::MAX, |units| match unit.as_secs() {
        0 => Duration::from_millis(units),
        _ => Duration::from_secs(units),
    })
}

/// The time, which tests can pause.
fn now() -> std::time::Instant {
    Instant::now().into_std()
}

impl fmt::Debug for RateLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimiter").finish_non_exhaustive()
    }
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reservation")
            .field("wait", &self.wait())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
