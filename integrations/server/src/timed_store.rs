//! The store of all requests, which is not waited for without end.

use std::{sync::Arc, time::Duration};

use tokio::time::timeout_at;
use toolwright_core::run::RunId;
use toolwright_runtime::{
    Runner,
    store::{
        ConversationId, ConversationVersion, InboxItem, LoadedRun, Page, Received, RunFilter,
        RunSummary, Store, StoreError, StoreErrorKind,
    },
};

use crate::later::later;

/// The least time that a store has for an answer.
const LEAST: Duration = Duration::from_secs(1);

/// The store of a runner. It has as much time for each answer as it has where the runner asks it: a lease time, and at least
/// a second. What was asked for may be done or not if it takes longer.
#[derive(Clone)]
pub(crate) struct TimedStore {
    store: Arc<dyn Store>,
    time: Duration,
}

impl TimedStore {
    /// The store of a runner, if it has one.
    pub(crate) fn of(runner: &Runner) -> Option<Self> {
        let time = runner.lease_time().unwrap_or_default();
        Some(Self {
            store: Arc::clone(runner.store()?),
            time: time.max(LEAST),
        })
    }

    async fn answered<T>(
        &self,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let answered = timeout_at(later(self.time), answer).await;
        answered.unwrap_or_else(|_| {
            let message = "the store did not answer in time: check that it is reachable";
            Err(StoreError::new(StoreErrorKind::Unavailable, message))
        })
    }

    /// As [`Store::load`].
    pub(crate) async fn load(&self, run: &RunId, from: u64) -> Result<LoadedRun, StoreError> {
        self.answered(self.store.load(run, from)).await
    }

    /// As [`Store::list`].
    pub(crate) async fn list(&self, filter: &RunFilter) -> Result<Page<RunSummary>, StoreError> {
        self.answered(self.store.list(filter)).await
    }

    /// As [`Store::put`].
    pub(crate) async fn put(&self, run: &RunId, item: &InboxItem) -> Result<(), StoreError> {
        self.answered(self.store.put(run, item)).await
    }

    /// As [`Store::inbox`].
    pub(crate) async fn inbox(&self, run: &RunId, after: u64) -> Result<Vec<Received>, StoreError> {
        self.answered(self.store.inbox(run, after)).await
    }

    /// As [`Store::conversation`].
    pub(crate) async fn conversation(
        &self,
        id: &ConversationId,
        up_to: Option<u64>,
    ) -> Result<Vec<ConversationVersion>, StoreError> {
        self.answered(self.store.conversation(id, 0, up_to)).await
    }

    /// As [`Store::save_conversation`].
    pub(crate) async fn save_conversation(
        &self,
        id: &ConversationId,
        owner: Option<&str>,
        version: &ConversationVersion,
    ) -> Result<(), StoreError> {
        self.answered(self.store.save_conversation(id, owner, version))
            .await
    }
}
