//! Redaction: removal of secrets from the outputs and errors of calls.

#[cfg(feature = "regex")]
pub use toolwright_runtime::{PatternError, RedactPatterns};
pub use toolwright_runtime::{Redact, Secrets, redact_fn};
