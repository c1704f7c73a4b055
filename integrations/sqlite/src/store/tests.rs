//! What is seen only from inside: the settings of the connection, and a database that is full.

use std::{
    sync::{Mutex, mpsc::channel},
    time::{Duration, SystemTime},
};

use toolwright_core::run::RunId;
use toolwright_runtime::store::{
    Append, ConversationRef, ConversationVersion, NewRun, RunInfo, Scope, Store, StoreErrorKind,
};

use super::*;

const LONG: Duration = Duration::from_secs(3600);

fn run() -> NewRun {
    let info = RunInfo::new(RunId::new("r"), "test", SystemTime::now());
    NewRun::new(info, vec!["begins".to_owned()])
}

impl SqliteStore {
    /// Holds the thread that writes up, until what is returned is dropped: what it is asked for meanwhile goes in one
    /// transaction.
    fn hold_up(&self) -> impl Sized {
        let (sender, held) = channel::<()>();
        let held = Mutex::new(held);
        let (job, answer) = task(move |_| Ok(held.lock().unwrap().recv().is_ok()));
        self.0.writer.order(Order::Alone(job));
        // A job that nobody waits for is not done.
        (sender, answer)
    }

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
    store.abandon(Scope::All, &lease.run_id).await.unwrap();
    assert_eq!(store.number("PRAGMA synchronous").await, 2);
}

#[tokio::test]
async fn what_breaks_a_rule_is_undone_alone() {
    let store = SqliteStore::in_memory().await.unwrap();
    let mut run = run();
    run.info.conversation = Some(ConversationRef::new("talk", 0));
    let lease = store.create(&run, LONG).await.unwrap();
    let mut outdated = Append::new(1, vec!["undone".to_owned()]);
    outdated.conversation = Some(ConversationVersion::new(7, "much later"));
    let next = Append::new(1, vec!["made".to_owned()]);
    let other = NewRun::new(
        RunInfo::new(RunId::new("other"), "test", SystemTime::now()),
        Vec::new(),
    );
    let held_up = store.hold_up();
    let (created, refused, made, ()) = tokio::join!(
        store.create(&other, LONG),
        store.append(&lease, &outdated),
        store.append(&lease, &next),
        async { drop(held_up) }
    );
    created.unwrap();
    assert_eq!(refused.unwrap_err().kind, StoreErrorKind::Outdated);
    made.unwrap();
    let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries, ["begins", "made"]);
}

#[tokio::test]
async fn who_waits_hears_that_the_thread_has_ended() {
    let store = SqliteStore::in_memory().await.unwrap();
    let lease = store.create(&run(), LONG).await.unwrap();
    let waiting = store.wait_for_inbox(Scope::All, &lease.run_id, 0);
    let ends = async {
        tokio::task::yield_now().await;
        store.number("PRAGMA user_version").await;
        let (job, answer) = task(|_| -> Result<(), _> { panic!("a test ends the thread") });
        store.0.writer.order(Order::Alone(job));
        assert!(answer.await.is_err());
    };
    let both = async { tokio::join!(waiting, ends).0 };
    let waited = tokio::time::timeout(Duration::from_secs(10), both).await;
    let error = waited.expect("the wait ends").unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
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
    let held_up = store.hold_up();
    let (failed, beside, ()) = tokio::join!(
        store.append(&lease, &long),
        store.renew(&lease, LONG),
        async { drop(held_up) }
    );
    let error = failed.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    assert_eq!(error.run_id.as_ref(), Some(&lease.run_id));
    assert!(error.message.contains("free some space"), "{error}");
    assert_eq!(beside.unwrap().token, lease.token);
    let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries, ["begins"]);

    store.number("PRAGMA max_page_count = 1000").await;
    store.append(&lease, &short).await.unwrap();
}
