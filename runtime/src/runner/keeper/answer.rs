//! Waits for a store, but not for ever.

use std::{pin::pin, time::Duration};

use futures_util::future::{Either, select};
use tokio::time::{sleep, timeout};

use super::{Keeper, KeptRuns};
use toolwright_core::run::{StoreError, StoreErrorKind};

/// The least time that a store has for an answer.
const LEAST: Duration = Duration::from_secs(1);

/// The least time that a store has for an answer to a run that is to stop: others may write before it.
const PATIENCE: Duration = Duration::from_secs(10);

impl KeptRuns {
    /// The answer of the store. One that takes longer than a lease holds, and than a second, is none: what was asked for
    /// may be done or not.
    pub(in crate::runner) async fn answered<T>(
        &self,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let answered = timeout(self.keeping.lease_time.max(LEAST), answer).await;
        answered.unwrap_or_else(|_| Err(no_answer()))
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

/// The answer of the store to a run that may be to stop. Once that is so, it is waited for as long as the calls have to end,
/// and for ten seconds.
pub(in crate::runner) async fn until_given_up<T>(
    answer: impl Future<Output = Result<T, StoreError>>,
    is_to_stop: impl Future<Output = ()>,
    grace: Duration,
) -> Result<T, StoreError> {
    let given_up = async {
        is_to_stop.await;
        sleep(grace.max(PATIENCE)).await;
    };
    match select(pin!(answer), pin!(given_up)).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(no_answer()),
    }
}

/// Puts a cancel into the inbox of a run whose store has not answered, if it takes that at least: whoever goes on with the
/// run ends it.
pub(in crate::runner) async fn leave_cancel(keeper: &Keeper) {
    let _ = timeout(LEAST, keeper.put_cancel()).await;
}

fn no_answer() -> StoreError {
    let message = "the store did not answer in time: look whether it can be reached";
    StoreError::new(StoreErrorKind::Unavailable, message)
}
