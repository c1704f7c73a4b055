//! Goes on with the runs of processes that are gone.

use std::{collections::HashSet, time::Duration};

use tokio::time::sleep;
use toolwright_core::run::{ResumeError, RunId, StoreErrorKind};
use toolwright_runtime::{
    Runner,
    store::{RunFilter, RunStatus},
};

use crate::timed_store::TimedStore;

/// The least time between two looks.
const LEAST: Duration = Duration::from_millis(100);

/// The looks at open runs between two looks at all: also at those that wait, whose store may have heard something.
const ALL: u32 = 60;

/// Goes on with the runs of processes that are gone, for ever.
pub(crate) async fn recover(runner: Runner, store: TimedStore) {
    let pause = runner.lease_time().unwrap_or_default() / 3;
    // Those that cannot go on are not tried each time.
    let mut refused = HashSet::new();
    loop {
        refused.clear();
        // The next look may find more.
        for run in runner.recover().await.unwrap_or_default() {
            match run.handle {
                Ok(handle) => drop(handle.detach()),
                Err(error) if may_pass(&error) => {}
                Err(_) => drop(refused.insert(run.run_id)),
            }
        }
        for _ in 0..ALL {
            sleep(pause.max(LEAST)).await;
            recover_open(&runner, &store, &mut refused).await;
        }
    }
}

/// Goes on with the runs that are open and that nobody drives.
async fn recover_open(runner: &Runner, store: &TimedStore, refused: &mut HashSet<RunId>) {
    let mut filter = RunFilter::default();
    filter.runner = runner.name().map(str::to_owned);
    (filter.unfinished, filter.free) = (true, true);
    // The next look finds what a store that does not answer keeps back.
    while let Ok(page) = store.list(&filter).await {
        for run in page.items {
            // Runs of sub-agents have another runner, which is with that of their call.
            let is_below = run.info.parent().is_some();
            let id = run.info.run_id;
            if is_below || run.status != RunStatus::Open || refused.contains(&id) {
                continue;
            }
            match runner.resume(&id).await {
                Ok(handle) => drop(handle.detach()),
                Err(error) if may_pass(&error) => {}
                Err(_) => drop(refused.insert(id)),
            }
        }
        match page.next {
            Some(next) => filter.after = Some(next),
            None => return,
        }
    }
}

fn may_pass(error: &ResumeError) -> bool {
    let ResumeError::Store(error) = error else {
        return false;
    };
    matches!(
        error.kind,
        StoreErrorKind::Held | StoreErrorKind::Unavailable
    )
}
