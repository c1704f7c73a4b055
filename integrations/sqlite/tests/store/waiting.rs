//! Who waits for an inbox hears of it, from whatever store the item came.

use toolwright::{
    run::RunId,
    store::{Scope, SqliteStore, Store, StoreErrorKind},
};

use crate::{folder::Folder, waits};

#[tokio::test(flavor = "multi_thread")]
async fn an_item_of_the_same_store_ends_the_wait() {
    let folder = Folder::new();
    for store in [
        SqliteStore::open(folder.file()).await.unwrap(),
        SqliteStore::in_memory().await.unwrap(),
    ] {
        waits::ends_the_wait(&store, &store, "r").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_of_another_store_ends_the_wait() {
    let folder = Folder::new();
    let driver = SqliteStore::open(folder.file()).await.unwrap();
    let other = SqliteStore::open(folder.file()).await.unwrap();
    waits::ends_the_wait(&driver, &other, "r").await;
}

#[tokio::test]
async fn nobody_waits_for_a_run_that_is_not_there() {
    let store = SqliteStore::in_memory().await.unwrap();
    let run = RunId::new("r");
    let error = store.wait_for_inbox(Scope::All, &run, 0).await.unwrap_err();
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::NotFound, Some(run))
    );
}
