//! `?` on other errors: their text is for the log, and the model reads a fixed sentence.

use std::{error::Error, fmt, io};

use super::{ErrorCategory, ToolError};

impl From<io::Error> for ToolError {
    fn from(error: io::Error) -> Self {
        let category = match error.kind() {
            io::ErrorKind::NotFound => ErrorCategory::ResourceNotFound,
            io::ErrorKind::PermissionDenied => ErrorCategory::PermissionDenied,
            io::ErrorKind::TimedOut => ErrorCategory::ExecutionTimeout,
            io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::NetworkDown => ErrorCategory::NetworkError,
            _ => ErrorCategory::Unknown,
        };
        Self::from_source(category, &error)
    }
}

/// `?` on the errors that everybody meets. There is no blanket conversion: it would forbid users'
/// own `impl From<TheirError> for ToolError`.
macro_rules! from_internal {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for ToolError {
            fn from(error: $error) -> Self {
                Self::internal(error)
            }
        }
    )*};
}

from_internal!(
    serde_json::Error,
    fmt::Error,
    std::num::ParseIntError,
    std::num::ParseFloatError,
    std::num::TryFromIntError,
    std::str::ParseBoolError,
    std::str::Utf8Error,
    std::string::FromUtf8Error,
    std::time::SystemTimeError,
);

/// A `ToolError` that was thrown through a box is the same when it comes out.
impl From<Box<dyn Error + Send + Sync>> for ToolError {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        match error.downcast::<Self>() {
            Ok(error) => *error,
            Err(error) => Self::internal(error),
        }
    }
}
