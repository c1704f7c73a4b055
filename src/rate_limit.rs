//! Rate limits of tools, and a limiter that several runs can share.

pub use toolwright_core::{OnExcess, RateLimit};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{Admission, RateLimiter, Reservation};
