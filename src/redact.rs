//! Redaction: removal of secrets from the outputs and errors of calls.

pub use toolwright_runtime::{Credentials, Redact, Secrets, redact_fn};
#[cfg(feature = "regex")]
pub use toolwright_runtime::{PatternError, RedactPatterns};
