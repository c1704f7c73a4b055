//! How often tools are called.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::{OnExcess, RateLimit};

/// Keeps tools to their rate limits. Clones are the same limiter, so that runs which share one share
/// the limits.
#[derive(Debug, Clone, Default)]
pub struct RateLimiter {
    /// For each tool, by when it would be idle if nobody called it any more.
    idle_at: Arc<Mutex<HashMap<String, Instant>>>,
}

/// Whether a call may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It may start now, and counts.
    Now,
    /// It may start after a wait. It counts already: it is not asked for again.
    After(Duration),
    /// It may not start.
    Refused {
        /// When another one may.
        retry_after: Duration,
    },
}

impl RateLimiter {
    /// A limiter that nobody has called anything through.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a call of a tool may start, which is then counted.
    pub fn admit(&self, name: &str, limit: RateLimit) -> Admission {
        let now = Instant::now();
        let each = limit.period / limit.calls.get();
        let mut tools = self.idle_at.lock().unwrap_or_else(PoisonError::into_inner);
        let idle_at = tools.get(name).map_or(now, |&at| at.max(now));
        let wait = (idle_at + each).saturating_duration_since(now + limit.period);
        if !wait.is_zero() && limit.on_excess == OnExcess::Fail {
            return Admission::Refused { retry_after: wait };
        }
        tools.insert(name.to_owned(), idle_at + each);
        match wait {
            Duration::ZERO => Admission::Now,
            wait => Admission::After(wait),
        }
    }
}
