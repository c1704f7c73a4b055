//! A wait for an inbox, that ends when an item comes from this store or another one.

use std::time::Duration;

use tokio::time::timeout;
use toolwright::{
    run::RunId,
    store::{InboxContent, InboxItem, Scope, Store},
};

use crate::sample;

/// An item that nobody tells of ends a wait only when it is looked for, which is seldom: a failure takes this long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// An item that is put through another store ends the wait of a driver.
pub(crate) async fn ends_the_wait<S: Store + Clone>(driver: &S, other: &S, id: &str) {
    let run = RunId::new(id);
    driver
        .create(&sample::run(id), sample::LONG)
        .await
        .expect("the run is new");
    let waiting = tokio::spawn({
        let (driver, run) = (driver.clone(), run.clone());
        async move { driver.wait_for_inbox(Scope::All, &run, 1).await }
    });
    for id in ["first", "second"] {
        let item = InboxItem::with_id(id, InboxContent::Cancel);
        other
            .put(Scope::All, &run, &item)
            .await
            .expect("the run is there");
        let items = driver
            .inbox(Scope::All, &run, 0)
            .await
            .expect("the run is there");
        if items.len() == 1 {
            assert!(!waiting.is_finished(), "the first item is known already");
        }
    }
    let waited = timeout(PATIENCE, waiting).await.expect("the wait ends");
    let waited = waited.expect("the task ends");
    waited.expect("the wait succeeds");
    let items = driver
        .inbox(Scope::All, &run, 1)
        .await
        .expect("the run is there");
    assert_eq!(items[0].item.id(), "second");
}
