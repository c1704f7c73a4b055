//! Two stores on one file, as two processes have it.

use std::time::Duration;

use toolwright::{
    run::RunId,
    store::{RunFilter, SqliteStore, Store, StoreErrorKind},
};

use crate::{
    folder::Folder,
    sample::{self, LONG},
};

async fn two(folder: &Folder) -> (SqliteStore, SqliteStore) {
    let one = SqliteStore::open(folder.file()).await;
    let other = SqliteStore::open(folder.file()).await;
    let expected = "the file can be opened twice";
    (one.expect(expected), other.expect(expected))
}

#[tokio::test]
async fn a_stale_token_is_refused() {
    let folder = Folder::new();
    let (one, other) = two(&folder).await;
    let stale = one.create(&sample::run("r"), Duration::ZERO).await.unwrap();
    let fresh = other.lease(&stale.run_id, LONG).await.unwrap();
    assert!(fresh.token > stale.token);

    for error in [
        one.append(&stale, &sample::append(1, "stale")).await,
        one.append(&stale, &sample::end()).await,
        one.renew(&stale, LONG).await.map(drop),
        one.release(&stale).await,
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::LeaseLost);
        assert_eq!(error.run_id.as_ref(), Some(&stale.run_id));
    }
    other
        .append(&fresh, &sample::append(1, "fresh"))
        .await
        .unwrap();
    let loaded = one.load(&stale.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries, ["r begins", "fresh"]);
    assert_eq!(loaded.held_until, Some(fresh.until));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_many_gets_the_lease() {
    let folder = Folder::new();
    let stores = [
        SqliteStore::open(folder.file()).await.unwrap(),
        SqliteStore::open(folder.file()).await.unwrap(),
        SqliteStore::open(folder.file()).await.unwrap(),
    ];
    for round in 0..20 {
        let run = sample::run(&format!("r{round}"));
        let first = stores[0].create(&run, LONG).await.unwrap();
        stores[0].release(&first).await.unwrap();
        let asked = (0..12).map(|number| {
            let (store, run) = (stores[number % 3].clone(), run.info.run_id.clone());
            tokio::spawn(async move { store.lease(&run, LONG).await })
        });
        let mut won = 0;
        for answer in asked.collect::<Vec<_>>() {
            match answer.await.unwrap() {
                Ok(lease) => {
                    assert_eq!(lease.token, 2);
                    won += 1;
                }
                Err(error) => assert_eq!(error.kind, StoreErrorKind::Held),
            }
        }
        assert_eq!(won, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_open_a_new_file_at_once() {
    for _ in 0..10 {
        let folder = Folder::new();
        let opened = (0..8).map(|_| tokio::spawn(SqliteStore::open(folder.file())));
        for (number, store) in opened.collect::<Vec<_>>().into_iter().enumerate() {
            let store = store.await.unwrap().unwrap();
            let run = sample::run(&number.to_string());
            store.create(&run, LONG).await.unwrap();
        }
        let store = SqliteStore::open(folder.file()).await.unwrap();
        let runs = store.list(&RunFilter::default()).await.unwrap();
        assert_eq!(runs.items.len(), 8);
    }
}

/// Changes that share a transaction do not share their errors.
#[tokio::test(flavor = "multi_thread")]
async fn many_append_at_once() {
    const RUNS: usize = 50;
    const ENTRIES: u64 = 20;
    let folder = Folder::new();
    let (one, other) = two(&folder).await;
    let drivers = (0..RUNS).map(|number| {
        let store = if number % 2 == 0 { &one } else { &other }.clone();
        tokio::spawn(async move {
            let run = sample::run(&format!("r{number}"));
            let lease = store.create(&run, LONG).await.unwrap();
            for place in 1..=ENTRIES {
                let twice = sample::append(place - 1, "twice");
                let next = sample::append(place, &place.to_string());
                let (again, next) =
                    tokio::join!(store.append(&lease, &twice), store.append(&lease, &next));
                assert_eq!(again.unwrap_err().kind, StoreErrorKind::OutOfSequence);
                next.unwrap();
            }
            let loaded = store.load(&lease.run_id, 1).await.unwrap();
            let expected = (1..=ENTRIES).map(|place| place.to_string());
            assert_eq!(loaded.entries, expected.collect::<Vec<_>>());
        })
    });
    for driver in drivers.collect::<Vec<_>>() {
        driver.await.unwrap();
    }
}

#[tokio::test]
async fn a_conversation_is_continued_once() {
    let folder = Folder::new();
    let (one, other) = two(&folder).await;
    let first = sample::continuing("first", "c", 0);
    let lease = one.create(&first, LONG).await.unwrap();
    let second = sample::continuing("second", "c", 0);
    let error = other.create(&second, LONG).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::ConversationBusy);
    assert_eq!(error.run_id, Some(RunId::new("first")));
    one.append(&lease, &sample::end()).await.unwrap();
    other.create(&second, LONG).await.unwrap();
}
