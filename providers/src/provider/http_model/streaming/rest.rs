//! Rest of a response that is read after the reason for its end, or after an error.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, timeout_at};
use toolwright_core::model::ModelError;

use crate::transport::Reply;

/// The time limit for usage, or the end, in all.
const TIME: Duration = Duration::from_secs(2);

/// The time limit for usage after an error.
const TIME_AFTER_ERROR: Duration = Duration::from_millis(250);

/// The maximum number of bytes in this time.
const BYTES: usize = 1024 * 1024;

/// The rest of a response that has told the reason for its end, or an error: usage may follow, or nothing at
/// all. Its bounds are in total, so that a server that says nothing in many pieces cannot withhold the answer.
#[derive(Debug)]
pub(super) struct Rest {
    until: Instant,
    bytes: usize,
}

impl Rest {
    pub(super) fn new(failed: bool) -> Self {
        let time = if failed { TIME_AFTER_ERROR } else { TIME };
        Self {
            until: Instant::now() + time,
            bytes: BYTES,
        }
    }

    /// The next bytes; `None` at the end of the body, and where the bounds are reached.
    ///
    /// # Errors
    ///
    /// The errors of [`Reply::chunk`].
    pub(super) async fn chunk(&mut self, reply: &mut Reply) -> Result<Option<Bytes>, ModelError> {
        // What is always ready is never waited for.
        if self.bytes == 0 || self.until <= Instant::now() {
            return Ok(None);
        }
        let chunk = timeout_at(self.until, reply.chunk()).await;
        let chunk = chunk.unwrap_or(Ok(None))?;
        let came = chunk.as_ref().map_or(0, Bytes::len);
        self.bytes = self.bytes.saturating_sub(came);
        Ok(chunk)
    }
}
