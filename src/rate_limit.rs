//! Rate limits of tools, and a limiter that several runs can share.

#[cfg(feature = "runtime")]
pub use toolwright_runtime::{Admission, RateLimiter, Reservation};
pub use toolwright_runtime::{OnExcess, RateLimit};
