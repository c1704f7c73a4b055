//! Who waits for an inbox hears of it, from whatever store the item came.

use std::time::Duration;

use tokio::time::timeout;
use toolwright::{
    run::RunId,
    store::{InboxContent, InboxItem, SqliteStore, Store, StoreErrorKind},
};

use crate::{folder::Folder, sample};

/// An item that nobody tells of ends a wait only when it is looked for, which is seldom: a failure takes this long.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn an_item_of_the_same_store_ends_the_wait() {
    let folder = Folder::new();
    for store in [
        SqliteStore::open(folder.file()).await.unwrap(),
        SqliteStore::in_memory().await.unwrap(),
    ] {
        ends_the_wait(&store, &store).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_of_another_store_ends_the_wait() {
    let folder = Folder::new();
    let driver = SqliteStore::open(folder.file()).await.unwrap();
    let other = SqliteStore::open(folder.file()).await.unwrap();
    ends_the_wait(&driver, &other).await;
}

async fn ends_the_wait(driver: &SqliteStore, other: &SqliteStore) {
    let run = RunId::new("r");
    driver
        .create(&sample::run("r"), sample::LONG)
        .await
        .expect("the run is there");
    let waiting = tokio::spawn({
        let (driver, run) = (driver.clone(), run.clone());
        async move { driver.wait_for_inbox(&run, 1).await }
    });
    for id in ["first", "second"] {
        let item = InboxItem::with_id(id, InboxContent::Cancel);
        other.put(&run, &item).await.expect("the run is there");
        let items = driver.inbox(&run, 0).await.expect("the run is there");
        if items.len() == 1 {
            assert!(!waiting.is_finished(), "the first item is known already");
        }
    }
    let waited = timeout(PATIENCE, waiting).await.expect("the wait ends");
    let waited = waited.expect("the task ends");
    waited.expect("the wait succeeds");
    let items = driver.inbox(&run, 1).await.expect("the run is there");
    assert_eq!(items[0].item.id(), "second");
}

#[tokio::test]
async fn nobody_waits_for_a_run_that_is_not_there() {
    let store = SqliteStore::in_memory().await.unwrap();
    let run = RunId::new("r");
    let error = store.wait_for_inbox(&run, 0).await.unwrap_err();
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::NotFound, Some(run))
    );
}
