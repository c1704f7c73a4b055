//! Time limit of an exchange.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use toolwright_core::model::ModelError;

use super::failure;

/// The time at which an exchange ends, whatever it waits for.
#[derive(Debug)]
pub(crate) struct Deadline {
    /// `None` if no clock reaches so far.
    at: Option<Instant>,
    total: Duration,
    host: String,
}

impl Deadline {
    pub(super) fn start(total: Duration, host: &str) -> Self {
        Self {
            at: Instant::now().checked_add(total),
            total,
            host: host.to_owned(),
        }
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Waits for as long as the exchange has.
    pub(crate) async fn end<F: Future>(&self, future: F) -> Result<F::Output, ModelError> {
        let output = self.within(Duration::MAX, future).await?;
        output.ok_or_else(|| failure::out_of_time(&self.host, self.total))
    }

    /// Waits for no longer than this, and for no longer than the exchange has; `None` if this was over
    /// first.
    pub(super) async fn within<F: Future>(
        &self,
        wait: Duration,
        future: F,
    ) -> Result<Option<F::Output>, ModelError> {
        let now = Instant::now();
        // What is always ready is never waited for, and would go on for ever.
        if self.at.is_some_and(|at| at <= now) {
            return Err(failure::out_of_time(&self.host, self.total));
        }
        let at = now.checked_add(wait);
        let Some(first) = at.into_iter().chain(self.at).min() else {
            return Ok(Some(future.await));
        };
        match timeout_at(first, future).await {
            Ok(output) => Ok(Some(output)),
            Err(_) if self.at == Some(first) => Err(failure::out_of_time(&self.host, self.total)),
            Err(_) => Ok(None),
        }
    }
}
