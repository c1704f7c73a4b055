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

/// Waits until the server has seen that the process is gone. The time is that of a test which hangs.
async fn until_free(store: &PostgresStore, run: &str) {
    let free = async {
        while seen(store, run).await != (1, false) {
            tokio::task::yield_now().await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), free).await;
    waited.expect("the server sees that the session is closed");
}

pub(crate) async fn a_run_of_a_process_that_is_gone_is_free_at_once(database: Arc<Database>) {
    let (one, other) = (process(&database).await, process(&database).await);
    let first = one.create(&sample::run("r"), LONG).await.unwrap();
    is_held(&one, "r").await;
    is_held(&other, "r").await;
    is_held(&database.store().await, "r").await;
    drop(one);
    until_free(&other, "r").await;
    let second = take(&other, "r").await.unwrap();
    assert_eq!((first.token, second.token), (1, 2));
    is_held(&database.store().await, "r").await;
}

pub(crate) async fn a_session_that_is_lost_takes_no_run_twice(database: Arc<Database>) {
    let (one, other) = (process(&database).await, process(&database).await);
    let lease = one.create(&sample::run("r"), LONG).await.unwrap();
    let client = database.client().await;
    let cut = async || {
        let cut = "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 1
                AND (classid::bigint << 32) | objid::bigint = (SELECT max(holder) FROM leases)";
        let rows = client.query(cut, &[]).await.unwrap();
        assert_eq!(rows.len(), 1, "one session has the lock");
    };
    cut().await;
    until_free(&other, "r").await;
    // Whoever lives and extends the lease in time holds it again.
    let lease = one.renew(&lease, LONG).await.unwrap();
    is_held(&other, "r").await;
    one.append(&lease, &sample::append(1, "one")).await.unwrap();
    cut().await;
    let second = take(&other, "r").await.unwrap();
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
