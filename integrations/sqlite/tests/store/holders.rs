//! Processes that are gone, and processes with other clocks. A store with a clock of its own is as one of another process.

use std::{
    fs,
    time::{Duration, Instant, SystemTime},
};

use toolwright::{
    run::{RunId, StoreError, StoreErrorKind},
    store::{Lease, RunFilter, Scope, SqliteOptions, SqliteStore, Store},
};

use crate::{
    folder::Folder,
    sample::{LONG, run},
};

/// A lease that a test waits for.
const SHORT: Duration = Duration::from_millis(200);

fn ahead() -> SystemTime {
    SystemTime::now() + LONG
}

fn behind() -> SystemTime {
    SystemTime::now() - LONG
}

/// A store of a process with this clock.
async fn process(folder: &Folder, clock: fn() -> SystemTime) -> SqliteStore {
    let options = SqliteOptions::new().as_another_process(clock);
    options
        .open(folder.file())
        .await
        .expect("the file can be opened")
}

async fn free(store: &SqliteStore) -> usize {
    let mut filter = RunFilter::default();
    filter.free = true;
    store
        .list(Scope::All, &filter)
        .await
        .expect("they are listed")
        .items
        .len()
}

async fn take(store: &SqliteStore) -> Result<Lease, StoreError> {
    store.lease(Scope::All, &RunId::new("run"), SHORT).await
}

async fn is_held(store: &SqliteStore) {
    let error = take(store).await.expect_err("it is held");
    assert_eq!(error.kind, StoreErrorKind::Held, "{error}");
    assert_eq!(free(store).await, 0);
    let loaded = store
        .load(Scope::All, &RunId::new("run"), 0)
        .await
        .expect("it is there");
    assert!(loaded.held_until.is_some());
}

/// Waits until a process can have seen that a lease of this time is over.
async fn passed(since: Instant, time: Duration) {
    while since.elapsed() < time {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_run_whose_process_is_gone_is_free_at_once() {
    for clock in [SystemTime::now, ahead, behind] {
        let folder = Folder::new();
        let (one, two) = (
            process(&folder, clock).await,
            process(&folder, SystemTime::now).await,
        );
        one.create(&run("run"), LONG).await.unwrap();
        is_held(&two).await;
        drop(one);
        // A process that another test starts has the file until it has become its program.
        while free(&two).await == 0 {
            tokio::task::yield_now().await;
        }
        let loaded = two.load(Scope::All, &RunId::new("run"), 0).await.unwrap();
        assert_eq!(loaded.held_until, None);
        assert_eq!(take(&two).await.unwrap().token, 2);
    }
}

/// It has dropped its run, and goes on.
#[tokio::test]
async fn a_clock_that_is_ahead_holds_no_run_for_longer() {
    let folder = Folder::new();
    let (one, two) = (
        process(&folder, ahead).await,
        process(&folder, SystemTime::now).await,
    );
    one.create(&run("run"), SHORT).await.unwrap();
    let seen = Instant::now();
    is_held(&two).await;
    passed(seen, 2 * SHORT).await;
    assert_eq!(take(&two).await.unwrap().token, 2);
}

#[tokio::test]
async fn a_clock_that_is_ahead_takes_no_run_that_is_driven() {
    let folder = Folder::new();
    let (one, two) = (
        process(&folder, behind).await,
        process(&folder, ahead).await,
    );
    let lease = one.create(&run("run"), SHORT).await.unwrap();
    let begun = Instant::now();
    for step in 1..9 {
        is_held(&two).await;
        passed(begun, step * SHORT / 2).await;
        one.renew(&lease, SHORT).await.unwrap();
    }
    is_held(&two).await;
    passed(Instant::now(), 2 * SHORT).await;
    assert_eq!(take(&two).await.unwrap().token, 2);
}

/// Without a lock, the times decide: also for a process that sees the run for the first time.
#[tokio::test]
async fn where_nothing_can_be_locked_a_run_is_free_when_its_lease_is_over() {
    let folder = Folder::new();
    // The folder of the holders cannot be made.
    fs::write(folder.path().join("runs.db.holders"), "").unwrap();
    let (one, two, late) = (
        process(&folder, SystemTime::now).await,
        process(&folder, SystemTime::now).await,
        process(&folder, ahead).await,
    );
    one.create(&run("run"), LONG / 2).await.unwrap();
    is_held(&two).await;
    assert_eq!(take(&late).await.unwrap().token, 2);
}

#[tokio::test]
async fn files_of_processes_that_are_gone_are_removed() {
    let folder = Folder::new();
    for token in 1..4 {
        let store = process(&folder, SystemTime::now).await;
        if token == 1 {
            store.create(&run("run"), LONG).await.unwrap();
        } else {
            // The thread of the store before may not have ended.
            let lease = loop {
                match take(&store).await {
                    Err(error) if error.kind == StoreErrorKind::Held => {
                        tokio::task::yield_now().await;
                    }
                    lease => break lease.unwrap(),
                }
            };
            assert_eq!(lease.token, token);
        }
        let files = fs::read_dir(folder.path().join("runs.db.holders")).unwrap();
        assert_eq!(files.count(), 1);
    }
}
