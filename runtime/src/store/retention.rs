//! What is deleted by its age, where a store has no way of its own.

use std::time::SystemTime;

use super::{ConversationInfo, RunFilter, Store, StoreError, StoreErrorKind};

/// How much [`Store::delete_before`] has deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Deleted {
    /// The number of runs.
    pub runs: u64,
    /// The number of conversations.
    pub conversations: u64,
}

impl Deleted {
    /// Numbers, for those who write a store.
    pub fn new(runs: u64, conversations: u64) -> Self {
        Self {
            runs,
            conversations,
        }
    }
}

/// The number of conversations of a page.
const PAGE: usize = 100;

pub(super) async fn delete_before<S: Store + ?Sized>(
    store: &S,
    time: SystemTime,
) -> Result<Deleted, StoreError> {
    Ok(Deleted {
        runs: runs(store, time).await?,
        conversations: conversations(store, time).await?,
    })
}

async fn runs<S: Store + ?Sized>(store: &S, time: SystemTime) -> Result<u64, StoreError> {
    let (mut filter, mut deleted) = (RunFilter::default(), 0);
    loop {
        let page = store.list(&filter).await?;
        let old = page.items.iter();
        for run in old.filter(|run| run.ended.is_some_and(|ended| ended < time)) {
            deleted += is_deleted(store.delete_run(&run.info.run_id).await)?;
        }
        match page.next {
            Some(next) => filter.after = Some(next),
            None => return Ok(deleted),
        }
    }
}

async fn conversations<S: Store + ?Sized>(store: &S, time: SystemTime) -> Result<u64, StoreError> {
    let (mut after, mut deleted) = (None, 0);
    loop {
        let page = store.conversations(None, after.as_deref(), PAGE).await?;
        for old in page.items.iter().filter(|it| it.saved < time) {
            if is_unchanged(store, old).await? {
                deleted += is_deleted(store.delete_conversation(&old.id).await)?;
            }
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(deleted),
        }
    }
}

/// Returns true if nobody has saved a version since a conversation was listed.
async fn is_unchanged<S: Store + ?Sized>(
    store: &S,
    listed: &ConversationInfo,
) -> Result<bool, StoreError> {
    let versions = store.conversation(&listed.id, None).await?;
    Ok(versions.last().map(|it| it.version) == Some(listed.version))
}

/// 1 if it was deleted, and 0 if somebody else was faster, or needs it.
pub(super) fn is_deleted(result: Result<(), StoreError>) -> Result<u64, StoreError> {
    match result {
        Ok(()) => Ok(1),
        Err(error) if matches!(error.kind, StoreErrorKind::NotFound | StoreErrorKind::InUse) => {
            Ok(0)
        }
        Err(error) => Err(error),
    }
}
