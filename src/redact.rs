//! Redaction: secrets that must not leave a call in its output or its error.

#[cfg(feature = "regex")]
pub use toolwright_runtime::{PatternError, RedactPatterns};
pub use toolwright_runtime::{Redact, Secrets, redact_fn};
