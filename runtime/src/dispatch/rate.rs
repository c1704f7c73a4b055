//! How often calls of a tool may start.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{self, Instant};

use crate::tool::{OnExcess, RateLimit};

/// Tools that are forgotten when this many are known and have not been called for a period.
const FORGET_FROM: usize = 64;

/// Keeps the rate limits of tools: in no stretch of time as long as a limit's period start more calls
/// than it allows.
///
/// Cheap to clone; clones share the limits. Tools are told apart by their names.
///
/// It remembers when each call of the current period started, and the calls that wait. Time is
/// tokio's, which tests can pause.
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// use toolwright_runtime::{Admission, OnExcess, RateLimit, RateLimiter};
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
    tools: Arc<Mutex<Tools>>,
}

#[derive(Default)]
struct Tools {
    by_name: HashMap<Arc<str>, Starts>,
    /// From how many tools on it is worth to look for some to forget.
    forget_from: usize,
}

/// Whether a call may start.
#[derive(Debug)]
#[non_exhaustive]
pub enum Admission {
    /// It may start now, and counts as started.
    Now,
    /// It may start when its turn comes. Calls of a tool have their turns in the order in which they
    /// asked.
    After(Turn),
    /// It may not start.
    Refused {
        /// How long until a call may.
        retry_after: Duration,
    },
}

/// The turn of a call that waits for it. Dropped before it has come, it is free again, as if the call
/// had not asked, unless a later one waits: then it passes unused.
pub struct Turn {
    at: Instant,
    number: u64,
    name: Arc<str>,
    tools: Arc<Mutex<Tools>>,
}

impl RateLimiter {
    /// A limiter that no call has asked.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks whether a call of the tool of this name may start. It never waits itself.
    pub fn admit(&self, name: &str, limit: RateLimit) -> Admission {
        let now = Instant::now();
        let mut tools = lock(&self.tools);
        let (name, starts) = tools.of(name, now);
        let at = starts.next(now, limit);
        if at > now && limit.on_excess == OnExcess::Fail {
            let retry_after = at - now;
            return Admission::Refused { retry_after };
        }
        let number = starts.book(at);
        if at <= now {
            return Admission::Now;
        }
        drop(tools);
        let tools = Arc::clone(&self.tools);
        Admission::After(Turn {
            at,
            number,
            name,
            tools,
        })
    }
}

impl Turn {
    /// How long until it comes; zero once it has.
    pub fn wait(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Waits until it comes.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future gives the turn back.
    pub async fn come(self) {
        time::sleep_until(self.at).await;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // What has come counts as used: nobody knows better.
        if self.at > Instant::now()
            && let Some(starts) = lock(&self.tools).by_name.get_mut(&self.name)
        {
            starts.give_back(self.number);
        }
    }
}

impl Tools {
    fn of(&mut self, name: &str, now: Instant) -> (Arc<str>, &mut Starts) {
        let name = if let Some((known, _)) = self.by_name.get_key_value(name) {
            Arc::clone(known)
        } else {
            self.forget(now);
            Arc::from(name)
        };
        let starts = self.by_name.entry(Arc::clone(&name)).or_default();
        (name, starts)
    }

    /// Forgets the tools whose calls do not matter any more, once there are twice as many as there were
    /// after the last time.
    fn forget(&mut self, now: Instant) {
        if self.by_name.len() >= self.forget_from.max(FORGET_FROM) {
            self.by_name.retain(|_, starts| starts.matter(now));
            self.forget_from = 2 * self.by_name.len();
        }
    }
}

/// When the calls of a tool started, and when those that wait will.
#[derive(Default)]
struct Starts {
    /// In order of time.
    booked: VecDeque<Start>,
    /// The number of the first of them.
    first: u64,
    /// The period of the limit that was asked last.
    period: Duration,
}

struct Start {
    at: Instant,
    is_free: bool,
}

impl Starts {
    /// When the next call may start.
    fn next(&mut self, now: Instant, limit: RateLimit) -> Instant {
        self.period = limit.period;
        while let Some(first) = self.booked.front()
            && is_over(first.at, limit.period, now)
        {
            self.booked.pop_front();
            self.first += 1;
        }
        let calls = limit.calls.get() as usize;
        let Some(place) = self.booked.len().checked_sub(calls) else {
            return self.booked.back().map_or(now, |last| last.at.max(now));
        };
        // So many calls lie between this one and the next that the period has to be over.
        let free = self.booked[place].at.checked_add(limit.period);
        free.unwrap_or_else(|| now + FOREVER).max(now)
    }

    fn book(&mut self, at: Instant) -> u64 {
        let is_free = false;
        self.booked.push_back(Start { at, is_free });
        self.first + self.booked.len() as u64 - 1
    }

    fn give_back(&mut self, number: u64) {
        let place = number.checked_sub(self.first).map(usize::try_from);
        if let Some(Ok(place)) = place
            && let Some(start) = self.booked.get_mut(place)
        {
            start.is_free = true;
        }
        while self.booked.back().is_some_and(|last| last.is_free) {
            self.booked.pop_back();
        }
    }

    fn matter(&self, now: Instant) -> bool {
        let last = self.booked.back();
        last.is_some_and(|last| !is_over(last.at, self.period, now))
    }
}

/// What a time that cannot be expressed is taken for: 30 years.
const FOREVER: Duration = Duration::from_hours(24 * 365 * 30);

fn is_over(start: Instant, period: Duration, now: Instant) -> bool {
    start.checked_add(period).is_some_and(|end| end <= now)
}

/// A panic elsewhere leaves the starts as they were.
fn lock(tools: &Mutex<Tools>) -> MutexGuard<'_, Tools> {
    tools.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for RateLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimiter").finish_non_exhaustive()
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn")
            .field("name", &self.name)
            .field("wait", &self.wait())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
