//! What is seen only from inside: the settings of the connection, and a database that is full.

use std::time::{Duration, SystemTime};

use toolwright_runtime::{
    run::RunId,
    store::{Append, NewRun, RunInfo, Store, StoreErrorKind},
};

use super::*;

const LONG: Duration = Duration::from_secs(3600);

fn run() -> NewRun {
    let info = RunInfo::new(RunId::new("r"), "test", SystemTime::now());
    NewRun::new(info, vec!["begins".to_owned()])
}

impl SqliteStore {
    /// Asks the connection that writes for a number.
    async fn number(&self, sql: &'static str) -> i64 {
        let (job, answer) =
            task(move |connection| Ok(connection.query_row(sql, [], |row| row.get(0))?));
        self.0.writer.order(Order::Alone(job));
        answer.await.unwrap().unwrap()
    }
}

/// 1 is `NORMAL`, which syncs no commit, and 2 is `FULL`.
#[tokio::test]
async fn a_commit_is_synced_where_it_must_survive_a_loss_of_power() {
    let store = SqliteStore::in_memory().await.unwrap();
    let lease = store.create(&run(), LONG).await.unwrap();
    assert_eq!(store.number("PRAGMA synchronous").await, 1);
    for (place, synced) in (1..).zip([true, true, false, false, true]) {
        let mut append = Append::new(place, vec!["more".to_owned()]);
        append.synced = synced;
        store.append(&lease, &append).await.unwrap();
        let level = if synced { 2 } else { 1 };
        assert_eq!(store.number("PRAGMA synchronous").await, level);
    }
    store.renew(&lease, LONG).await.unwrap();
    assert_eq!(store.number("PRAGMA synchronous").await, 1);
    store.abandon(&lease.run_id).await.unwrap();
    assert_eq!(store.number("PRAGMA synchronous").await, 2);
}

#[tokio::test]
async fn a_database_that_is_full_keeps_what_it_has() {
    let store = SqliteStore::in_memory().await.unwrap();
    let lease = store.create(&run(), LONG).await.unwrap();
    let most = store.number("PRAGMA max_page_count = 1").await;
    assert_eq!(most, store.number("PRAGMA page_count").await);

    let long = Append::new(1, vec!["x".repeat(100_000)]);
    let short = Append::new(1, vec!["short".to_owned()]);
    // What goes along in its transaction is made all the same.
    let (failed, beside) = tokio::join!(store.append(&lease, &long), store.renew(&lease, LONG));
    let error = failed.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    assert_eq!(error.run_id.as_ref(), Some(&lease.run_id));
    assert!(error.message.contains("make room"), "{error}");
    assert_eq!(beside.unwrap().token, lease.token);
    let loaded = store.load(&lease.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries, ["begins"]);

    store.number("PRAGMA max_page_count = 1000").await;
    store.append(&lease, &short).await.unwrap();
}
