//! Two stores on one database, as two machines have it.

use std::{sync::Arc, time::SystemTime};

use tokio_postgres::Client;
use toolwright::{
    run::RunId,
    store::{
        ConversationId, ConversationVersion, PostgresStore, RunStatus, Scope, Store, StoreErrorKind,
    },
};

use crate::{
    database::Database,
    sample::{self, LONG},
};

async fn two(database: &Database) -> (PostgresStore, PostgresStore) {
    (database.store().await, database.store().await)
}

/// An append that waits for the lease to be taken sees who has it then.
pub(crate) async fn an_append_that_comes_after_a_lease_is_refused(database: Arc<Database>) {
    let (one, client) = (database.store().await, database.client().await);
    let stale = one.create(&sample::run("r"), LONG).await.unwrap();
    for append in [sample::append(1, "stale"), sample::end()] {
        let taken = "BEGIN; UPDATE leases SET token = 2";
        client.batch_execute(taken).await.unwrap();
        let appending = tokio::spawn({
            let (store, lease) = (one.clone(), stale.clone());
            async move { store.append(&lease, &append).await }
        });
        let watcher = database.client().await;
        while waiting_for_locks(&watcher, &database).await < 1 {
            tokio::task::yield_now().await;
        }
        client.batch_execute("COMMIT").await.unwrap();
        let error = appending.await.unwrap().unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::LeaseLost, "{error}");
    }
    let loaded = one.load(Scope::All, &stale.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries, ["r begins"]);
}

/// The number of operations of the stores of a schema that wait for locks.
async fn waiting_for_locks(client: &Client, database: &Database) -> i64 {
    let count = "SELECT count(*) FROM pg_stat_activity
        WHERE application_name = $1 AND wait_event_type = 'Lock'";
    let row = client.query_one(count, &[&database.application()]).await;
    row.unwrap().get(0)
}

/// The database says until when a lease holds, and whether that time is over.
pub(crate) async fn a_lease_ends_by_the_clock_of_the_database(database: Arc<Database>) {
    let (one, other) = two(&database).await;
    let client = database.client().await;
    let lease = one.create(&sample::run("r"), LONG).await.unwrap();
    let until = "SELECT until, until BETWEEN clock_timestamp() + interval '59 minutes'
        AND clock_timestamp() + interval '1 hour' FROM leases";
    let row = client.query_one(until, &[]).await.unwrap();
    assert_eq!(row.get::<_, SystemTime>(0), lease.until);
    assert!(row.get::<_, bool>(1));

    let error = other
        .lease(Scope::All, &lease.run_id, LONG)
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind, error.until),
        (StoreErrorKind::Held, Some(lease.until))
    );
    // As if its clock had gone on.
    let over = "UPDATE leases SET until = until - interval '1 hour'";
    client.batch_execute(over).await.unwrap();
    let fresh = other.lease(Scope::All, &lease.run_id, LONG).await.unwrap();
    assert_eq!(fresh.token, 2);
}

/// A run that waits for a conversation sees that somebody has taken it meanwhile.
pub(crate) async fn a_conversation_that_was_taken_meanwhile_is_busy(database: Arc<Database>) {
    let (store, client) = (database.store().await, database.client().await);
    let waiting = database.client().await;
    let talk = ConversationId::new("c");
    let version = ConversationVersion::new(1, "hello");
    store
        .save_conversation(Scope::All, &talk, &version)
        .await
        .unwrap();
    client
        .batch_execute("BEGIN; SELECT FROM conversations FOR UPDATE")
        .await
        .unwrap();
    let tasks = ["create", "save", "delete"].map(|task| {
        let (store, talk) = (store.clone(), talk.clone());
        tokio::spawn(async move {
            match task {
                "create" => {
                    let run = sample::continuing("second", "c", 1);
                    store.create(&run, LONG).await.map(drop)
                }
                "save" => {
                    let next = ConversationVersion::new(2, "more");
                    store.save_conversation(Scope::All, &talk, &next).await
                }
                _ => store.delete_conversation(Scope::All, &talk).await,
            }
        })
    });
    while waiting_for_locks(&waiting, &database).await < 3 {
        tokio::task::yield_now().await;
    }
    // A run that began, and took it, after they had begun to wait.
    store.create(&sample::run("first"), LONG).await.unwrap();
    let taken = "UPDATE conversations SET run = (SELECT key FROM runs WHERE id = 'first'); COMMIT";
    client.batch_execute(taken).await.unwrap();
    let busy = StoreErrorKind::ConversationBusy;
    for (task, kind) in tasks.into_iter().zip([busy, busy, StoreErrorKind::InUse]) {
        let error = task.await.unwrap().unwrap_err();
        assert_eq!(
            (error.kind, error.run_id),
            (kind, Some(RunId::new("first")))
        );
    }
}

/// Rows that others have changed meanwhile are changed all the same.
pub(crate) async fn an_append_that_waited_is_whole(database: Arc<Database>) {
    let (store, client) = (database.store().await, database.client().await);
    let waiting = database.client().await;
    let run = sample::continuing("r", "c", 0);
    let lease = store.create(&run, LONG).await.unwrap();
    let change = "BEGIN; UPDATE leases SET items = 0; UPDATE runs SET unfinished = TRUE;
        UPDATE conversations SET saved = clock_timestamp()";
    client.batch_execute(change).await.unwrap();
    let appending = tokio::spawn({
        let (store, lease) = (store.clone(), lease.clone());
        async move {
            let mut append = sample::append(1, "last");
            append.status = sample::end().status;
            append.conversation = Some(ConversationVersion::new(1, "hello"));
            store.append(&lease, &append).await
        }
    });
    while waiting_for_locks(&waiting, &database).await < 1 {
        tokio::task::yield_now().await;
    }
    client.batch_execute("COMMIT").await.unwrap();
    appending.await.unwrap().unwrap();
    let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries, ["r begins", "last"]);
    assert_eq!(loaded.status, RunStatus::Finished);
    let talk = ConversationId::new("c");
    let versions = store
        .conversation(Scope::All, &talk, 0, None)
        .await
        .unwrap();
    assert_eq!(versions, [ConversationVersion::new(1, "hello")]);
    let next = sample::continuing("next", "c", 1);
    store.create(&next, LONG).await.unwrap();
}
