//! Who waits for an inbox hears of it, from whatever store the item came.

use std::{sync::Arc, time::Duration};

use tokio::time::timeout;
use toolwright::{
    run::RunId,
    store::{InboxContent, InboxItem, PostgresOptions, Scope, Store, StoreErrorKind},
};

use crate::{
    database::Database,
    sample,
    waits::{self, PATIENCE},
};

/// Nobody looks by themselves.
fn never_looks() -> PostgresOptions {
    PostgresOptions::new().poll(Duration::from_secs(3600))
}

pub(crate) async fn an_item_of_the_same_store_ends_the_wait(database: Arc<Database>) {
    let store = database.open(never_looks()).await;
    waits::ends_the_wait(&store, &store, "r").await;
}

pub(crate) async fn an_item_of_another_store_ends_the_wait(database: Arc<Database>) {
    let driver = database.open(never_looks()).await;
    let other = database.store().await;
    for run in ["r", "s", &"long ".repeat(5_000)] {
        waits::ends_the_wait(&driver, &other, run).await;
    }
}

/// A process that puts an item may die before it tells of it.
pub(crate) async fn an_item_that_nobody_tells_of_is_found(database: Arc<Database>) {
    let options = PostgresOptions::new().poll(Duration::from_millis(20));
    let (store, client) = (database.open(options).await, database.client().await);
    let run = RunId::new("r");
    store.create(&sample::run("r"), sample::LONG).await.unwrap();
    let waiting = tokio::spawn({
        let (store, run) = (store.clone(), run.clone());
        async move { store.wait_for_inbox(Scope::All, &run, 0).await }
    });
    let item = "INSERT INTO inbox SELECT key, 1, 'a', '' FROM runs; UPDATE leases SET items = 1";
    client.batch_execute(item).await.unwrap();
    let waited = timeout(PATIENCE, waiting).await.expect("the wait ends");
    waited.unwrap().unwrap();
}

/// What was told while nobody listened was not heard, so it is looked again.
pub(crate) async fn a_wait_survives_the_connection_that_listens(database: Arc<Database>) {
    let driver = database.open(never_looks()).await;
    let (other, client) = (database.store().await, database.client().await);
    waits::ends_the_wait(&driver, &other, "before").await;
    let run = RunId::new("r");
    driver
        .create(&sample::run("r"), sample::LONG)
        .await
        .unwrap();
    let waiting = tokio::spawn({
        let (driver, run) = (driver.clone(), run.clone());
        async move { driver.wait_for_inbox(Scope::All, &run, 0).await }
    });
    crate::lost::cut(&client, &database, "query LIKE '%LISTEN%'").await;
    let item = InboxItem::with_id("a", InboxContent::Cancel);
    other.put(Scope::All, &run, &item).await.unwrap();
    let waited = timeout(PATIENCE, waiting).await.expect("the wait ends");
    waited.unwrap().unwrap();
    waits::ends_the_wait(&driver, &other, "after").await;
}

pub(crate) async fn nobody_waits_for_a_run_that_is_not_there(database: Arc<Database>) {
    let store = database.store().await;
    let run = RunId::new("r");
    let error = store.wait_for_inbox(Scope::All, &run, 0).await.unwrap_err();
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::NotFound, Some(run))
    );
}

pub(crate) async fn nobody_waits_for_a_run_that_is_over(database: Arc<Database>) {
    let driver = database.open(never_looks()).await;
    let other = database.store().await;
    let run = RunId::new("r");
    driver
        .create(&sample::run("r"), sample::LONG)
        .await
        .unwrap();
    let waiting = tokio::spawn({
        let (driver, run) = (driver.clone(), run.clone());
        async move { driver.wait_for_inbox(Scope::All, &run, 0).await }
    });
    other.abandon(Scope::All, &run).await.unwrap();
    let waited = timeout(PATIENCE, waiting).await.expect("the wait ends");
    let error = waited.unwrap().unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::RunIsOver);
}
