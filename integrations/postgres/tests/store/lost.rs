//! Connections that are lost, and locks that somebody else holds.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt;
use tokio_postgres::Client;
use toolwright::store::{
    InboxContent, InboxItem, Lease, PostgresOptions, PostgresStore, Scope, Store, StoreErrorKind,
};

use crate::{
    database::Database,
    sample::{self, LONG},
};

/// Ends the connections of this schema that do what a condition says, once there is one.
pub(crate) async fn cut(client: &Client, database: &Database, condition: &str) {
    let cut = format!(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
         WHERE application_name = $1 AND {condition}"
    );
    loop {
        let rows = client.query(&cut, &[&database.application()]).await;
        if !rows
            .expect("the role may end its own connections")
            .is_empty()
        {
            return;
        }
        tokio::task::yield_now().await;
    }
}

/// A run of one entry, and somebody who holds the lock of its row.
async fn locked(database: &Database, store: &PostgresStore) -> (Lease, Client) {
    let client = database.client().await;
    let created = store.create(&sample::run("r"), LONG).await;
    let lock = "BEGIN; SELECT FROM leases FOR UPDATE";
    client.batch_execute(lock).await.expect("the row is there");
    (created.expect("the run is new"), client)
}

pub(crate) async fn a_connection_that_is_cut_in_the_middle_is_told(database: Arc<Database>) {
    let (store, other) = (database.store().await, database.client().await);
    let (lease, client) = locked(&database, &store).await;
    let appending = tokio::spawn({
        let (store, lease) = (store.clone(), lease.clone());
        async move { store.append(&lease, &sample::append(1, "one")).await }
    });
    cut(&other, &database, "wait_event_type = 'Lock'").await;
    let error = appending.await.unwrap().unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    assert_eq!(error.run_id.as_ref(), Some(&lease.run_id));
    assert!(
        error.message.contains("may or may not have been made"),
        "{error}"
    );
    client.batch_execute("ROLLBACK").await.unwrap();
    // It was not made.
    store
        .append(&lease, &sample::append(1, "one"))
        .await
        .unwrap();
    let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries, ["r begins", "one"]);
}

pub(crate) async fn connections_that_were_cut_are_made_anew(database: Arc<Database>) {
    let (store, client) = (database.store().await, database.client().await);
    let lease = store.create(&sample::run("r"), LONG).await.unwrap();
    for place in (1..21).step_by(2) {
        // So that there are several.
        let append = sample::append(place, "one");
        let (one, other) = tokio::join!(
            store.load(Scope::All, &lease.run_id, 0),
            store.append(&lease, &append)
        );
        one.unwrap();
        other.unwrap();
        cut(&client, &database, "TRUE").await;
        // The first call may be the one that finds out.
        match store
            .append(&lease, &sample::append(place + 1, "two"))
            .await
        {
            Ok(()) => continue,
            Err(error) => assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}"),
        }
        store
            .append(&lease, &sample::append(place + 1, "two"))
            .await
            .unwrap();
    }
}

pub(crate) async fn nobody_waits_for_a_lock_for_ever(database: Arc<Database>) {
    let options = PostgresOptions::new().timeout(Duration::from_millis(200));
    let store = database.open(options).await;
    let (lease, client) = locked(&database, &store).await;
    for error in [
        store.append(&lease, &sample::append(1, "late")).await,
        store.renew(&lease, LONG).await.map(drop),
        store.abandon(Scope::All, &lease.run_id).await,
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
        assert!(error.message.contains("lock"), "{error}");
    }
    // Reading waits for nobody.
    store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    client.batch_execute("ROLLBACK").await.unwrap();
    store
        .append(&lease, &sample::append(1, "one"))
        .await
        .unwrap();
}

/// A process that is stopped within a transaction has the locks of its rows. The server ends the transaction, so that
/// others go on; what it goes on with is told as an error, and is not made a second time.
pub(crate) async fn a_process_that_is_stopped_in_a_transaction_loses_nothing_of_others(
    database: Arc<Database>,
) {
    let stopped = PostgresOptions::new().timeout(Duration::from_secs(1));
    let (stopped, store) = (database.open(stopped).await, database.store().await);
    let client = database.client().await;
    let lease = store.create(&sample::run("r"), LONG).await.unwrap();
    let item = InboxItem::new(InboxContent::Cancel);
    let mut putting = stopped.put(Scope::All, &lease.run_id, &item);
    // It is polled no more as soon as its connection waits in the transaction.
    while !is_in_transaction(&client, &database).await {
        assert!((&mut putting).now_or_never().is_none(), "it was not seen");
    }
    // The lock is waited for, until the server ends the other transaction.
    let append = sample::append(1, "one");
    store.append(&lease, &append).await.unwrap();
    let error = putting.await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    // Whoever had no answer says it again, and it is there once.
    for _ in 0..2 {
        stopped.put(Scope::All, &lease.run_id, &item).await.unwrap();
    }
    let inbox = store.inbox(Scope::All, &lease.run_id, 0).await.unwrap();
    assert_eq!(inbox.len(), 1);
    let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries, ["r begins", "one"]);
}

/// Returns true if a connection of the stores is in a transaction, once the server works for none of them.
async fn is_in_transaction(client: &Client, database: &Database) -> bool {
    let states = "SELECT COALESCE(state, '') FROM pg_stat_activity WHERE application_name = $1";
    loop {
        let rows = client.query(states, &[&database.application()]).await;
        let rows = rows.expect("the role sees its own connections");
        let states: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        if states.iter().all(|state| state != "active") {
            return states.iter().any(|state| state == "idle in transaction");
        }
    }
}

/// What was dropped while it waited goes on, or not; the next operation does not wait for it.
pub(crate) async fn a_change_that_was_dropped_holds_nobody_up(database: Arc<Database>) {
    let store = database.open(PostgresOptions::new().connections(1)).await;
    let (lease, client) = locked(&database, &store).await;
    let append = sample::append(1, "one");
    let appending = store.append(&lease, &append);
    let waited = tokio::time::timeout(Duration::from_millis(50), appending).await;
    assert!(waited.is_err(), "somebody holds the lock");
    store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    client.batch_execute("ROLLBACK").await.unwrap();
    let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    let next = loaded.entries.len() as u64;
    match store.append(&lease, &sample::append(next, "next")).await {
        Ok(()) => {}
        Err(error) => assert_eq!(error.kind, StoreErrorKind::OutOfSequence, "{error}"),
    }
}

pub(crate) async fn operations_share_few_connections(database: Arc<Database>) {
    let store = database.open(PostgresOptions::new().connections(1)).await;
    let drivers = (0..20).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            let lease = store.create(&sample::run(&number.to_string()), LONG).await;
            let lease = lease.unwrap();
            for place in 1..5 {
                store
                    .append(&lease, &sample::append(place, "more"))
                    .await
                    .unwrap();
            }
        })
    });
    for driver in drivers.collect::<Vec<_>>() {
        driver.await.unwrap();
    }
}

/// Connections are tasks of the runtime in which they were made.
pub(crate) async fn a_store_outlives_its_runtime(database: Arc<Database>) {
    let (sender, store) = tokio::sync::oneshot::channel();
    let opening = Arc::clone(&database);
    let runtime = std::thread::spawn(move || {
        crate::run(async move {
            let store = opening.store().await;
            let lease = store.create(&sample::run("r"), LONG).await.unwrap();
            let wait = store.wait_for_inbox(Scope::All, &lease.run_id, 0);
            let waited = tokio::time::timeout(Duration::from_millis(50), wait).await;
            assert!(waited.is_err(), "nobody says anything");
            sender.send((store, lease)).unwrap();
        });
    });
    let (store, lease) = store.await.unwrap();
    runtime.join().unwrap();
    let append = sample::append(1, "one");
    if let Err(error) = store.append(&lease, &append).await {
        assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
        store.append(&lease, &append).await.unwrap();
    }
    crate::waits::ends_the_wait(&store, &database.store().await, "another").await;
}
