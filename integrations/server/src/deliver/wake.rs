//! Resumes a run, so that its inbox items are taken.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use toolwright_core::run::{ResumeError, RunId};
use toolwright_runtime::{
    Runner,
    store::{InboxContent, RunStatus, StoreErrorKind},
};

use crate::{later::later, timed_store::TimedStore, wakers::Waker};

/// The first wait before a run is tried again that another process holds. Each next one is twice as long, up to
/// [`LONGEST`].
pub(super) const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);
/// How long it is tried beside two lease times.
const TRIES: Duration = Duration::from_secs(10);

/// Goes on with a run. Returns false if another process holds it and takes the items, or if its store may answer later.
///
/// A run that is to be cancelled and that this program cannot go on with is given up: its chat is free again. `cancels`
/// is true if the item is a cancel.
pub(super) async fn goes_on(
    runner: &Runner,
    store: &TimedStore,
    run: &RunId,
    cancels: bool,
) -> Result<bool, ResumeError> {
    let error = match runner.resume(run).start().await {
        Ok(handle) => {
            handle.detach();
            return Ok(true);
        }
        Err(error) => error,
    };
    if may_pass(&error) {
        return Ok(false);
    }
    if is_for_good(&error)
        && (cancels || is_cancelled(store, run).await)
        && runner.abandon(run).await.is_ok()
    {
        return Ok(true);
    }
    Err(error)
}

/// Resumes the run at the top until the inbox of the run is taken, and again if more items come.
pub(super) async fn wake(
    runner: Runner,
    store: TimedStore,
    (run, top): (RunId, RunId),
    waker: Waker,
) {
    let mut waking = Some(waker);
    while let Some(waker) = waking {
        until_heard(&runner, &store, &run, &top).await;
        waking = waker.again();
    }
}

async fn until_heard(runner: &Runner, store: &TimedStore, run: &RunId, top: &RunId) {
    let lease_time = runner.lease_time().unwrap_or_default();
    // After that, `Server::serve` finds it, or another process does.
    let end = later(lease_time.saturating_mul(2).saturating_add(TRIES));
    let mut pause = FIRST;
    while Instant::now() < end {
        // The process that holds it takes the item, or is gone.
        sleep(pause).await;
        pause = longer(pause);
        if was_heard(store, run).await {
            return;
        }
        match goes_on(runner, store, top, false).await {
            Ok(false) => {}
            Ok(true) | Err(_) => return,
        }
    }
}

/// The wait after this one.
pub(super) fn longer(pause: Duration) -> Duration {
    LONGEST.min(pause * 2)
}

/// Returns true if another process holds the run, or its store may answer later.
fn may_pass(error: &ResumeError) -> bool {
    matches!(error, ResumeError::Store(error)
        if matches!(error.kind, StoreErrorKind::Held | StoreErrorKind::Unavailable))
}

/// Returns true if no process is known that can resume the run. A newer program can, where its log needs
/// one.
fn is_for_good(error: &ResumeError) -> bool {
    match error {
        ResumeError::ToolsChanged { .. }
        | ResumeError::NoExtensions
        | ResumeError::Parked { .. }
        | ResumeError::CorruptLog(_) => true,
        ResumeError::Store(error) => error.kind == StoreErrorKind::Corrupt,
        _ => false,
    }
}

/// Returns true if the run has a cancel.
async fn is_cancelled(store: &TimedStore, run: &RunId) -> bool {
    let items = store.inbox(run, 0).await.unwrap_or_default();
    let mut said = items.iter().map(|received| received.item.content());
    said.any(|content| *content == InboxContent::Cancel)
}

/// Returns true if the inbox of a run is empty, or the run is over.
async fn was_heard(store: &TimedStore, run: &RunId) -> bool {
    // Without entries.
    let Ok(loaded) = store.load(run, u64::MAX).await else {
        return false;
    };
    if loaded.status.is_over() {
        return true;
    }
    if matches!(loaded.status, RunStatus::Open) && loaded.held_until.is_none() {
        return false;
    }
    let inbox = store.inbox(run, loaded.taken).await;
    inbox.is_ok_and(|items| items.is_empty())
}
