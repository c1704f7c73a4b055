//! Rate limits of tools, and the limiter that several runs share.

#[cfg(feature = "runtime")]
pub use toolwright_runtime::{Admission, RateLimiter, Reservation};
pub use toolwright_runtime::{OnExcess, RateLimit};
