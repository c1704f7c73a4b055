//! Input of a codec's errors.

use std::time::Duration;

/// A response whose status is not one of success.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ErrorResponse<'a> {
    /// The status.
    pub status: u16,
    /// The time to wait that the headers ask for, as [`wire::retry_after`](crate::wire::retry_after) reads
    /// them.
    pub retry_after: Option<Duration>,
    /// The beginning of the body.
    pub body: &'a [u8],
    headers: &'a [(String, String)],
}

impl<'a> ErrorResponse<'a> {
    /// Creates a response without headers.
    pub fn new(status: u16, body: &'a [u8]) -> Self {
        Self {
            status,
            retry_after: None,
            body,
            headers: &[],
        }
    }

    /// Sets the time to wait that the headers ask for.
    pub fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        self.retry_after = wait;
        self
    }

    /// Sets the headers: names and values.
    pub fn with_headers(mut self, headers: &'a [(String, String)]) -> Self {
        self.headers = headers;
        self
    }

    /// Returns the value of a header. The case of the name does not matter.
    pub fn header(&self, name: &str) -> Option<&'a str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(have, _)| have.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}
