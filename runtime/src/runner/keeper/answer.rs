//! Waits for a store, but not for ever.

use std::{pin::pin, time::Duration};

use futures_util::future::{Either, select};
use tokio::time::{sleep, timeout};

use super::KeptRuns;
use crate::store::{InboxContent, InboxItem};
use toolwright_core::{
    driver::{Caught, Payload, text_of},
    run::{RunId, StoreError, StoreErrorKind},
};

/// The least time that a store has for an answer.
const LEAST: Duration = Duration::from_secs(1);

/// The least time that a store has for an answer to a run that is to stop: others may write before it.
const PATIENCE: Duration = Duration::from_secs(10);

impl KeptRuns {
    /// The answer of the store. One that takes longer than a lease holds, and than a second, is none, as is a panic: what
    /// was asked for may be done or not.
    pub(in crate::runner) async fn answered<T, F>(
        &self,
        ask: impl FnOnce() -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let answer = timeout(self.keeping.lease_time.max(LEAST), answer_of(ask)).await;
        answer.unwrap_or_else(|_| Err(no_answer()))
    }

    /// Waits for something in the store, but not for longer than it has for an answer.
    pub(in crate::runner) async fn waited<F>(
        &self,
        ask: impl FnOnce() -> F,
    ) -> Result<(), StoreError>
    where
        F: Future<Output = Result<(), StoreError>>,
    {
        let waited = timeout(self.keeping.lease_time.max(LEAST), answer_of(ask)).await;
        waited.unwrap_or(Ok(()))
    }

    /// Puts a cancel into the inbox of a run, for whoever goes on with it.
    pub(super) async fn put_cancel(&self, run: &RunId) -> Result<(), StoreError> {
        let cancel = InboxItem::new(InboxContent::Cancel);
        match self
            .answered(|| self.store.put(self.scope(), run, &cancel))
            .await
        {
            // Somebody else has ended it.
            Err(error) if error.kind == StoreErrorKind::RunIsOver => Ok(()),
            put => put,
        }
    }

    /// As [`put_cancel`](Self::put_cancel), of a run whose store has not answered: if it takes that at least.
    pub(super) async fn leave_cancel(&self, run: &RunId) {
        let _ = timeout(LEAST, self.put_cancel(run)).await;
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

/// Asks a store. To begin is its own code as well: a panic there is one of the answer.
pub(super) async fn answer_of<T, F>(ask: impl FnOnce() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let answer = Caught::new(Box::pin(async { ask().await }));
    answer.await.unwrap_or_else(|panic| Err(panicked(&panic)))
}

fn panicked(panic: &Payload) -> StoreError {
    let message = format!("the store panicked: {}", text_of(panic));
    StoreError::new(StoreErrorKind::Unavailable, message)
}

fn no_answer() -> StoreError {
    let message = "the store did not answer in time: check that it is reachable";
    StoreError::new(StoreErrorKind::Unavailable, message)
}
