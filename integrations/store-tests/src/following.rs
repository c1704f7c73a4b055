//! Who follows the log of a run hears of what comes.

use std::time::Duration;

use tokio::{task::yield_now, time::timeout};

use super::{
    case::Shared,
    fixture::{created, finish, id, loaded, refused_of, status, texts},
};
use toolwright::store::{Append, RunStatus, Scope, StoreErrorKind};

/// The time in which a wait ends.
const SOON: Duration = Duration::from_secs(10);

/// Waits until the log has so many entries, or the run is not open.
async fn wait(store: &Shared, from: u64) {
    let until_there = async {
        loop {
            let run = loaded(store, "run").await;
            if run.entries.len() as u64 > from || run.status != RunStatus::Open {
                return;
            }
            let waited = store.wait_for_entries(Scope::All, &id("run"), from).await;
            waited.expect("the log of a run is waited for");
        }
    };
    let waited = timeout(SOON, until_there).await;
    waited.expect("a wait for entries ends when one comes");
}

pub(super) async fn a_wait_ends_when_an_entry_comes(store: Shared) {
    let lease = created(&store, "run").await;
    for (from, text) in [(1, "one"), (2, "two"), (3, "three")] {
        let waits = store.clone();
        let waiting = tokio::spawn(async move { wait(&waits, from).await });
        for _ in 0..3 {
            yield_now().await;
        }
        let append = Append::new(from, texts(&[text]));
        let appended = store.append(&lease, &append).await;
        appended.expect("the next entry is appended");
        waiting.await.expect("a wait ends without a panic");
    }
}

pub(super) async fn a_wait_ends_when_the_run_is_not_open(store: Shared) {
    let lease = created(&store, "run").await;
    let waits = store.clone();
    let waiting = tokio::spawn(async move { wait(&waits, 1).await });
    for _ in 0..3 {
        yield_now().await;
    }
    finish(&store, &lease).await;
    waiting.await.expect("a wait ends without a panic");
}

pub(super) async fn what_is_there_is_not_waited_for(store: Shared) {
    let lease = created(&store, "run").await;
    let there = timeout(SOON, store.wait_for_entries(Scope::All, &id("run"), 0)).await;
    let there = there.expect("a wait for an entry that is there ends");
    there.expect("the log of a run is waited for");
    let suspended = status(RunStatus::Suspended);
    let appended = store.append(&lease, &suspended).await;
    appended.expect("a driver suspends its run");
    let there = timeout(SOON, store.wait_for_entries(Scope::All, &id("run"), 9)).await;
    let there = there.expect("a wait for a run that nobody drives ends");
    there.expect("the log of a run is waited for");
}

pub(super) async fn nobody_follows_a_run_that_is_not_there(store: Shared) {
    // A store that has no way of its own says nothing.
    if let Err(error) = store.wait_for_entries(Scope::All, &id("none"), 0).await {
        refused_of::<()>(
            "a wait for no run",
            "none",
            Err(error),
            StoreErrorKind::NotFound,
        );
    }
}
