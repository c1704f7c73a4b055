//! Processes that are gone, and a process that loses its session and lives.

use std::{sync::Arc, time::Duration};

use toolwright::{
    run::{RunId, StoreError, StoreErrorKind},
    store::{Lease, PostgresOptions, PostgresStore, RunFilter, Scope, Store},
};

use crate::{
    database::Database,
    sample::{self, LONG},
};

/// A store of another process.
async fn process(database: &Database) -> PostgresStore {
    let options = PostgresOptions::new().as_another_process();
    database.open(options).await
}

/// Begins a run, and waits until its lease has a holder.
async fn begin(database: &Database, store: &PostgresStore) -> Lease {
    let mut lease = store.create(&sample::run("r"), LONG).await.unwrap();
    let client = database.client().await;
    let has_holder = "SELECT 1 FROM leases WHERE holder IS NOT NULL";
    while client.query(has_holder, &[]).await.unwrap().is_empty() {
        lease = store.renew(&lease, LONG).await.unwrap();
    }
    lease
}

async fn take(store: &PostgresStore, run: &str) -> Result<Lease, StoreError> {
    store.lease(Scope::All, &RunId::new(run), LONG).await
}

/// The number of runs that nobody drives, and whether somebody drives this one.
async fn seen(store: &PostgresStore, run: &str) -> (usize, bool) {
    let mut filter = RunFilter::default();
    (filter.free, filter.unfinished) = (true, true);
    let free = store.list(Scope::All, &filter).await.unwrap().items;
    assert!(free.iter().all(|run| run.held_until.is_none()));
    let loaded = store.load(Scope::All, &RunId::new(run), 0).await.unwrap();
    (free.len(), loaded.held_until.is_some())
}

async fn is_held(store: &PostgresStore, run: &str) {
    let error = take(store, run).await.expect_err("it is held");
    assert_eq!(error.kind, StoreErrorKind::Held, "{error}");
    assert_eq!(seen(store, run).await, (0, true));
}

/// Waits until the runs are seen so. The time is that of a test which hangs.
async fn until_seen(store: &PostgresStore, run: &str, expected: (usize, bool)) {
    let wait = async {
        while seen(store, run).await != expected {
            tokio::task::yield_now().await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), wait).await;
    waited.expect("the runs are seen as expected");
}

/// Ends the session that has the lock of the newest lease.
async fn cut(database: &Database) {
    let cut = "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ExclusiveLock'
            AND (classid::bigint << 32) | objid::bigint = (SELECT max(holder) FROM leases)";
    let rows = database.client().await.query(cut, &[]).await.unwrap();
    assert_eq!(rows.len(), 1, "one session has the lock");
}

pub(crate) async fn a_run_of_a_process_that_is_gone_is_free_at_once(database: Arc<Database>) {
    let (one, other) = (process(&database).await, process(&database).await);
    let first = begin(&database, &one).await;
    is_held(&one, "r").await;
    is_held(&other, "r").await;
    is_held(&database.store().await, "r").await;
    drop(one);
    until_seen(&other, "r", (1, false)).await;
    let second = take(&other, "r").await.unwrap();
    assert_eq!((first.token, second.token), (1, 2));
    is_held(&database.store().await, "r").await;
}

pub(crate) async fn a_process_that_loses_its_session_keeps_its_runs(database: Arc<Database>) {
    let (one, other) = (process(&database).await, process(&database).await);
    let lease = begin(&database, &one).await;
    for sequence in 1..3 {
        cut(&database).await;
        // The lease is not extended meanwhile.
        until_seen(&other, "r", (0, true)).await;
        is_held(&other, "r").await;
        let append = sample::append(sequence, "one");
        one.append(&lease, &append).await.unwrap();
    }
    drop(one);
    until_seen(&other, "r", (1, false)).await;
    assert_eq!(take(&other, "r").await.unwrap().token, 2);
}

pub(crate) async fn a_session_that_is_lost_takes_no_run_twice(database: Arc<Database>) {
    let (one, other) = (process(&database).await, process(&database).await);
    let lease = begin(&database, &one).await;
    one.append(&lease, &sample::append(1, "one")).await.unwrap();
    // The process may be faster, and lock it again before the other one takes it.
    let second = loop {
        cut(&database).await;
        if let Ok(second) = take(&other, "r").await {
            break second;
        }
        until_seen(&other, "r", (0, true)).await;
    };
    let refused = one.append(&lease, &sample::append(2, "two")).await;
    assert_eq!(refused.unwrap_err().kind, StoreErrorKind::LeaseLost);
    let refused = one.renew(&lease, LONG).await;
    assert_eq!(refused.unwrap_err().kind, StoreErrorKind::LeaseLost);
    is_held(&one, "r").await;
    other
        .append(&second, &sample::append(2, "two"))
        .await
        .unwrap();
    other.append(&second, &sample::end()).await.unwrap();
    // What it takes from then on is its own.
    one.create(&sample::run("s"), LONG).await.unwrap();
    is_held(&other, "s").await;
}
