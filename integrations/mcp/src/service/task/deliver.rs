//! Goes on with a task that has something to hear, if no process does.

use std::{collections::HashMap, sync::Arc, time::Duration};

use tokio::time::{Instant, sleep};
use toolwright_core::{
    driver::Mutex,
    run::{ResumeError, RunId},
};
use toolwright_runtime::{
    RunHandle, Runner,
    store::{RunStatus, Scope, StoreErrorKind},
};

/// The tasks that are woken by this process, and whether each got news since the last look.
pub(super) type Wakers = Arc<Mutex<HashMap<RunId, bool>>>;

/// The first wait before another look. Each next one is twice as long, up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);
/// How long it is tried beside two lease times.
const TRIES: Duration = Duration::from_secs(10);

/// Resumes a run whose process is gone, or which is suspended with news, and gives its handle. A process that holds it hears
/// the news itself.
pub(super) fn wake(
    wakers: &Wakers,
    runner: Runner,
    run: &RunId,
    drive: impl Fn(RunHandle) + Send + 'static,
) {
    if wakers.lock().insert(run.clone(), true).is_some() {
        // The one who wakes it looks once more.
        return;
    }
    let (wakers, run) = (Arc::clone(wakers), run.clone());
    tokio::spawn(async move {
        let lease_time = runner.lease_time().unwrap_or_default();
        let end = Instant::now() + lease_time.saturating_mul(2).saturating_add(TRIES);
        let mut pause = FIRST;
        while news(&wakers, &run) {
            if Instant::now() >= end {
                wakers.lock().remove(&run);
                return;
            }
            match runner.resume(&run).start().await {
                Ok(handle) => drive(handle),
                Err(ResumeError::Store(error)) if may_pass(error.kind) => {
                    sleep(pause).await;
                    pause = LONGEST.min(pause * 2);
                    if !is_heard(&runner, &run).await {
                        wakers.lock().insert(run.clone(), true);
                    }
                }
                Err(_) => {}
            }
        }
    });
}

/// True if a task got news since the last look. If not, its place is free.
fn news(wakers: &Wakers, run: &RunId) -> bool {
    let mut runs = wakers.lock();
    let is_new = runs.get_mut(run).is_some_and(std::mem::take);
    if !is_new {
        runs.remove(run);
    }
    is_new
}

fn may_pass(kind: StoreErrorKind) -> bool {
    matches!(kind, StoreErrorKind::Held | StoreErrorKind::Unavailable)
}

/// True if a task is over, or is driven and has nothing to hear.
async fn is_heard(runner: &Runner, run: &RunId) -> bool {
    let Some(store) = runner.store() else {
        return true;
    };
    let scope = Scope::from(runner.owner());
    let Ok(loaded) = store.load(scope, run, u64::MAX).await else {
        return false;
    };
    let is_left = loaded.status == RunStatus::Open && loaded.held_until.is_none();
    let inbox = store.inbox(scope, run, loaded.taken).await;
    loaded.status.is_over() || !is_left && inbox.is_ok_and(|items| items.is_empty())
}
