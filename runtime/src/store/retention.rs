//! What is deleted by its age, where a store has no way of its own.

use std::time::SystemTime;

use super::{ConversationInfo, RunFilter, Scope, Store, StoreError, StoreErrorKind};
use toolwright_core::run::RunId;

/// How much [`Store::delete_before`] has deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Deleted {
    /// The number of runs.
    pub runs: u64,
    /// The number of conversations.
    pub conversations: u64,
    /// The number of runs and conversations that stay because what they have in store cannot be read. Of some of them it is
    /// not known how old they are. 0 in stores that read nothing to delete it.
    pub damaged: u64,
}

impl Deleted {
    /// Numbers of what was deleted, for those who write a store.
    pub fn new(runs: u64, conversations: u64) -> Self {
        Self {
            runs,
            conversations,
            damaged: 0,
        }
    }
}

/// The number of conversations of a page.
const PAGE: usize = 100;

/// Deletes what is old of a store that has no way of its own.
pub(super) async fn delete_before<S: Store + ?Sized>(
    store: &S,
    time: SystemTime,
) -> Result<Deleted, StoreError> {
    let mut deleted = Deleted::default();
    runs(store, time, &mut deleted).await?;
    conversations(store, time, &mut deleted).await?;
    Ok(deleted)
}

async fn runs<S: Store + ?Sized>(
    store: &S,
    time: SystemTime,
    deleted: &mut Deleted,
) -> Result<(), StoreError> {
    let mut filter = RunFilter::default();
    loop {
        let page = store.list(Scope::All, &filter).await?;
        deleted.damaged += page.damaged.len() as u64;
        let old = page.items.iter();
        for run in old.filter(|run| run.ended.is_some_and(|ended| ended < time)) {
            if let Some(top) = run.info.top()
                && is_open(store, &top).await?
            {
                continue;
            }
            deleted.count_run(store.delete_run(Scope::All, &run.info.run_id).await)?;
        }
        match page.next {
            Some(next) => filter.after = Some(next),
            None => return Ok(()),
        }
    }
}

/// Returns true if a run is not over, which may need those below it.
async fn is_open<S: Store + ?Sized>(store: &S, run: &RunId) -> Result<bool, StoreError> {
    match store.load(Scope::All, run, u64::MAX).await {
        Ok(loaded) => Ok(!loaded.status.is_over()),
        Err(error) if error.kind == StoreErrorKind::NotFound => Ok(false),
        // It may be mended.
        Err(error) if matches!(error.kind, StoreErrorKind::Corrupt | StoreErrorKind::Newer) => {
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

async fn conversations<S: Store + ?Sized>(
    store: &S,
    time: SystemTime,
    deleted: &mut Deleted,
) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let page = store
            .conversations(Scope::All, after.as_deref(), PAGE)
            .await?;
        deleted.damaged += page.damaged.len() as u64;
        for old in page.items.iter().filter(|it| it.saved < time) {
            deleted.count_conversation(delete_unchanged(store, old).await)?;
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(()),
        }
    }
}

/// Deletes a conversation, unless a version of it was saved since it was listed.
async fn delete_unchanged<S: Store + ?Sized>(
    store: &S,
    listed: &ConversationInfo,
) -> Result<(), StoreError> {
    let versions = store.conversation(Scope::All, &listed.id, 0, None).await?;
    if versions.last().map(|it| it.version) == Some(listed.version) {
        return store.delete_conversation(Scope::All, &listed.id).await;
    }
    Err(saved_since())
}

/// The error of a conversation that is no longer old.
pub(super) fn saved_since() -> StoreError {
    let message = "the conversation was saved after it was listed";
    StoreError::new(StoreErrorKind::InUse, message)
}

impl Deleted {
    /// Counts what became of a run.
    pub(super) fn count_run(&mut self, result: Result<(), StoreError>) -> Result<(), StoreError> {
        count(result, &mut self.runs, &mut self.damaged)
    }

    /// Counts what became of a conversation.
    pub(super) fn count_conversation(
        &mut self,
        result: Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        count(result, &mut self.conversations, &mut self.damaged)
    }
}

/// What stays for a reason of its own is no error: the rest goes on.
fn count(
    result: Result<(), StoreError>,
    deleted: &mut u64,
    damaged: &mut u64,
) -> Result<(), StoreError> {
    match result {
        Ok(()) => *deleted += 1,
        Err(error) => match error.kind {
            // Somebody else was faster, or needs it.
            StoreErrorKind::NotFound | StoreErrorKind::InUse => {}
            StoreErrorKind::Corrupt | StoreErrorKind::Newer => *damaged += 1,
            _ => return Err(error),
        },
    }
    Ok(())
}
