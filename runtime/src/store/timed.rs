//! Waits for a store, but not for ever.

use std::{fmt, sync::Arc, time::Duration};

use tokio::time::timeout;
use toolwright_core::{
    driver::{Caught, Payload, text_of},
    run::RunId,
};

use super::{
    Append, ConversationId, ConversationVersion, InboxContent, InboxItem, Lease, LoadedRun, NewRun,
    Page, Received, RunFilter, RunSummary, Scope, Store, StoreError, StoreErrorKind,
};

/// The least time that a store has for an answer.
const LEAST: Duration = Duration::from_secs(1);

/// A store as an owner sees it. An answer that takes longer than a lease holds, and than a second, is none, as is a panic:
/// what was asked for may be done or not.
#[derive(Clone)]
pub struct TimedStore {
    store: Arc<dyn Store>,
    /// Who sees it; everybody's for the application.
    owner: Option<String>,
    lease_time: Duration,
}

impl TimedStore {
    /// The store, as the application sees it.
    pub(crate) fn new(store: Arc<dyn Store>, lease_time: Duration) -> Self {
        Self {
            store,
            owner: None,
            lease_time,
        }
    }

    /// The same store, as this owner sees it; `None` sees all.
    #[must_use]
    pub fn of_owner(self, owner: Option<String>) -> Self {
        Self { owner, ..self }
    }

    /// The store itself.
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Who sees it.
    pub(crate) fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// What is seen of it.
    pub(crate) fn scope(&self) -> Scope<'_> {
        self.owner().into()
    }

    /// The answer of the store.
    pub(crate) async fn answered<T, F>(&self, ask: impl FnOnce() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let answer = timeout(self.lease_time.max(LEAST), answer_of(ask)).await;
        answer.unwrap_or_else(|_| Err(no_answer()))
    }

    /// Waits for something in the store, but not for longer than it has for an answer.
    async fn waited<F>(&self, ask: impl FnOnce() -> F) -> Result<(), StoreError>
    where
        F: Future<Output = Result<(), StoreError>>,
    {
        let waited = timeout(self.lease_time.max(LEAST), answer_of(ask)).await;
        waited.unwrap_or(Ok(()))
    }

    /// As [`Store::create`].
    pub(crate) async fn create(&self, run: &NewRun) -> Result<Lease, StoreError> {
        self.answered(|| self.store.create(run, self.lease_time))
            .await
    }

    /// As [`Store::lease`].
    pub(crate) async fn lease(&self, run: &RunId) -> Result<Lease, StoreError> {
        self.answered(|| self.store.lease(self.scope(), run, self.lease_time))
            .await
    }

    /// As [`Store::release`].
    pub(crate) async fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        self.answered(|| self.store.release(lease)).await
    }

    /// As [`Store::append`].
    pub(crate) async fn append(&self, lease: &Lease, append: &Append) -> Result<(), StoreError> {
        self.answered(|| self.store.append(lease, append)).await
    }

    /// As [`Store::abandon`].
    pub(crate) async fn abandon(&self, run: &RunId) -> Result<(), StoreError> {
        self.answered(|| self.store.abandon(self.scope(), run))
            .await
    }

    /// As [`Store::wait_for_entries`], for a while.
    pub(crate) async fn wait_for_entries(&self, run: &RunId, from: u64) -> Result<(), StoreError> {
        self.waited(|| self.store.wait_for_entries(self.scope(), run, from))
            .await
    }

    /// As [`Store::wait_for_inbox`], for a while.
    pub(crate) async fn wait_for_inbox(&self, run: &RunId, after: u64) -> Result<(), StoreError> {
        self.waited(|| self.store.wait_for_inbox(self.scope(), run, after))
            .await
    }

    /// Puts a cancel into the inbox of a run, for whoever goes on with it.
    pub(crate) async fn put_cancel(&self, run: &RunId) -> Result<(), StoreError> {
        match self.put(run, &InboxItem::new(InboxContent::Cancel)).await {
            // Somebody else has ended it.
            Err(error) if error.kind == StoreErrorKind::RunIsOver => Ok(()),
            put => put,
        }
    }

    /// As [`put_cancel`](Self::put_cancel), of a run whose store has not answered: if it takes that at least.
    pub(crate) async fn leave_cancel(&self, run: &RunId) {
        let _ = timeout(LEAST, self.put_cancel(run)).await;
    }

    /// As [`Store::load`].
    ///
    /// # Errors
    ///
    /// As there, and when the store does not answer in time or panics.
    pub async fn load(&self, run: &RunId, from: u64) -> Result<LoadedRun, StoreError> {
        self.answered(|| self.store.load(self.scope(), run, from))
            .await
    }

    /// As [`Store::list`].
    ///
    /// # Errors
    ///
    /// As there, and when the store does not answer in time or panics.
    pub async fn list(&self, filter: &RunFilter) -> Result<Page<RunSummary>, StoreError> {
        self.answered(|| self.store.list(self.scope(), filter))
            .await
    }

    /// As [`Store::put`].
    ///
    /// # Errors
    ///
    /// As there, and when the store does not answer in time or panics.
    pub async fn put(&self, run: &RunId, item: &InboxItem) -> Result<(), StoreError> {
        self.answered(|| self.store.put(self.scope(), run, item))
            .await
    }

    /// As [`Store::inbox`].
    ///
    /// # Errors
    ///
    /// As there, and when the store does not answer in time or panics.
    pub async fn inbox(&self, run: &RunId, after: u64) -> Result<Vec<Received>, StoreError> {
        self.answered(|| self.store.inbox(self.scope(), run, after))
            .await
    }

    /// As [`Store::conversation`], from the first version on.
    ///
    /// # Errors
    ///
    /// As there, and when the store does not answer in time or panics.
    pub async fn conversation(
        &self,
        id: &ConversationId,
        up_to: Option<u64>,
    ) -> Result<Vec<ConversationVersion>, StoreError> {
        self.answered(|| self.store.conversation(self.scope(), id, 0, up_to))
            .await
    }

    /// As [`Store::save_conversation`].
    ///
    /// # Errors
    ///
    /// As there, and when the store does not answer in time or panics.
    pub async fn save_conversation(
        &self,
        id: &ConversationId,
        version: &ConversationVersion,
    ) -> Result<(), StoreError> {
        self.answered(|| self.store.save_conversation(self.scope(), id, version))
            .await
    }

    /// As [`Store::delete_conversation`].
    ///
    /// # Errors
    ///
    /// As there, and when the store does not answer in time or panics.
    pub async fn delete_conversation(&self, id: &ConversationId) -> Result<(), StoreError> {
        self.answered(|| self.store.delete_conversation(self.scope(), id))
            .await
    }

    /// As [`Store::delete_with_below`].
    ///
    /// # Errors
    ///
    /// As there, and when the store does not answer in time or panics.
    pub async fn delete_with_below(&self, run: &RunId) -> Result<(), StoreError> {
        self.answered(|| self.store.delete_with_below(self.scope(), run))
            .await
    }
}

impl fmt::Debug for TimedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimedStore")
            .field("owner", &self.owner)
            .finish_non_exhaustive()
    }
}

/// Asks a store. To begin is its own code as well: a panic there is one of the answer.
pub(crate) async fn answer_of<T, F>(ask: impl FnOnce() -> F) -> Result<T, StoreError>
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

pub(crate) fn no_answer() -> StoreError {
    let message = "the store did not answer in time: check that it is reachable";
    StoreError::new(StoreErrorKind::Unavailable, message)
}
