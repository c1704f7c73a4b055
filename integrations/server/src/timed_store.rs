//! The store of all requests, which is not waited for without end.

use std::{sync::Arc, time::Duration};

use tokio::time::timeout_at;
use toolwright_core::{driver::Caught, run::RunId};
use toolwright_runtime::{
    Runner,
    store::{
        ConversationId, ConversationVersion, InboxItem, LoadedRun, Page, Received, RunFilter,
        RunSummary, Scope, Store, StoreError, StoreErrorKind,
    },
};

use crate::later::later;

/// The least time that a store has for an answer.
const LEAST: Duration = Duration::from_secs(1);

/// The store of a runner, as its owner sees it. It has as much time for each answer as it has where the runner asks it: a lease time, and at least
/// a second. What was asked for may be done or not if it takes longer.
#[derive(Clone)]
pub(crate) struct TimedStore {
    store: Arc<dyn Store>,
    owner: Option<String>,
    time: Duration,
}

impl TimedStore {
    /// The store of a runner, if it has one.
    pub(crate) fn of(runner: &Runner) -> Option<Self> {
        let time = runner.lease_time().unwrap_or_default();
        Some(Self {
            store: Arc::clone(runner.store()?),
            owner: runner.owner().map(str::to_owned),
            time: time.max(LEAST),
        })
    }

    /// The same store, as another owner sees it; `None` sees all.
    pub(crate) fn of_owner(mut self, owner: Option<&str>) -> Self {
        self.owner = owner.map(str::to_owned);
        self
    }

    fn scope(&self) -> Scope<'_> {
        self.owner.as_deref().into()
    }

    /// The answer of the store. A panic is none, also one before there is a future.
    async fn answered<T, F>(&self, ask: impl FnOnce() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let answer = Caught::new(Box::pin(async { ask().await }));
        let no_answer = |message| Err(StoreError::new(StoreErrorKind::Unavailable, message));
        match timeout_at(later(self.time), answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => no_answer("the store panicked"),
            Err(_) => no_answer("the store did not answer in time: check that it is reachable"),
        }
    }

    /// As [`Store::load`].
    pub(crate) async fn load(&self, run: &RunId, from: u64) -> Result<LoadedRun, StoreError> {
        self.answered(|| self.store.load(self.scope(), run, from))
            .await
    }

    /// As [`Store::list`].
    pub(crate) async fn list(&self, filter: &RunFilter) -> Result<Page<RunSummary>, StoreError> {
        self.answered(|| self.store.list(self.scope(), filter))
            .await
    }

    /// As [`Store::put`].
    pub(crate) async fn put(&self, run: &RunId, item: &InboxItem) -> Result<(), StoreError> {
        self.answered(|| self.store.put(self.scope(), run, item))
            .await
    }

    /// As [`Store::inbox`].
    pub(crate) async fn inbox(&self, run: &RunId, after: u64) -> Result<Vec<Received>, StoreError> {
        self.answered(|| self.store.inbox(self.scope(), run, after))
            .await
    }

    /// As [`Store::conversation`].
    pub(crate) async fn conversation(
        &self,
        id: &ConversationId,
        up_to: Option<u64>,
    ) -> Result<Vec<ConversationVersion>, StoreError> {
        let versions = || self.store.conversation(self.scope(), id, 0, up_to);
        self.answered(versions).await
    }

    /// As [`Store::save_conversation`].
    pub(crate) async fn save_conversation(
        &self,
        id: &ConversationId,
        version: &ConversationVersion,
    ) -> Result<(), StoreError> {
        let saved = || self.store.save_conversation(self.scope(), id, version);
        self.answered(saved).await
    }

    /// As [`Store::delete_conversation`].
    pub(crate) async fn delete_conversation(&self, id: &ConversationId) -> Result<(), StoreError> {
        self.answered(|| self.store.delete_conversation(self.scope(), id))
            .await
    }

    /// As [`Store::delete_with_below`].
    pub(crate) async fn delete_run(&self, run: &RunId) -> Result<(), StoreError> {
        self.answered(|| self.store.delete_with_below(self.scope(), run))
            .await
    }
}

/// What was done; `None` if there was nothing to do it to.
pub(crate) fn unless_gone<T>(done: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.kind == StoreErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
