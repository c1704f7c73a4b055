//! Waits for a store, but not for ever.

use std::time::Duration;

use tokio::time::timeout;

use super::KeptRuns;
use toolwright_core::run::{StoreError, StoreErrorKind};

/// The least time that a store has for an answer.
const LEAST: Duration = Duration::from_secs(1);

impl KeptRuns {
    /// The answer of the store. One that takes longer than a lease holds, and than a second, is none: what was asked for
    /// may be done or not.
    pub(in crate::runner) async fn answered<T>(
        &self,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let answered = timeout(self.keeping.lease_time.max(LEAST), answer).await;
        answered.unwrap_or_else(|_| {
            let message = "the store did not answer in time: look whether it can be reached";
            Err(StoreError::new(StoreErrorKind::Unavailable, message))
        })
    }

    /// Waits for something in the store, but not for longer than it has for an answer.
    pub(in crate::runner) async fn waited(
        &self,
        wait: impl Future<Output = Result<(), StoreError>>,
    ) -> Result<(), StoreError> {
        let waited = timeout(self.keeping.lease_time.max(LEAST), wait).await;
        waited.unwrap_or(Ok(()))
    }
}
