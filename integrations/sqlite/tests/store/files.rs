//! Files that cannot be used: each is refused with what to do, and stays as it is.

use std::{fs, time::Duration};

use rusqlite::Connection;
use toolwright::{
    run::RunId,
    store::{
        ConversationRef, InboxContent, InboxItem, RunFilter, Scope, SqliteOptions, SqliteStore,
        Store, StoreError, StoreErrorKind,
    },
};

use crate::{
    damaged,
    folder::Folder,
    sample::{self, LONG},
};

/// Opens a file that cannot be used, and checks that it stays as it is.
async fn refused(folder: &Folder) -> StoreError {
    let read = || fs::read(folder.file()).expect("the file is there");
    let before = read();
    let opened = SqliteStore::open(folder.file()).await;
    let error = opened.expect_err("it is refused");
    assert_eq!(read(), before);
    error
}

#[tokio::test]
async fn a_database_of_another_program_is_refused() {
    let folder = Folder::new();
    let other = Connection::open(folder.file()).unwrap();
    other.execute_batch("CREATE TABLE runs (id TEXT)").unwrap();
    let error = refused(&folder).await;
    assert_eq!(error.kind, StoreErrorKind::Corrupt);
    assert!(error.message.contains("another program"), "{error}");

    // One without tables says by its numbers whose it is.
    other
        .execute_batch("DROP TABLE runs; PRAGMA application_id = 7; PRAGMA user_version = 1")
        .unwrap();
    assert_eq!(refused(&folder).await.kind, StoreErrorKind::Corrupt);
    other
        .execute_batch("PRAGMA application_id = 0; PRAGMA user_version = 3")
        .unwrap();
    assert_eq!(refused(&folder).await.kind, StoreErrorKind::Corrupt);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let folder = Folder::new();
    fs::write(folder.file(), "This is a letter. ".repeat(100)).unwrap();
    let error = refused(&folder).await;
    assert_eq!(error.kind, StoreErrorKind::Corrupt);
    assert!(error.message.contains("not an SQLite database"), "{error}");
}

#[tokio::test]
async fn a_newer_version_is_refused() {
    let folder = Folder::new();
    drop(SqliteStore::open(folder.file()).await.unwrap());
    let newer = Connection::open(folder.file()).unwrap();
    newer.execute_batch("PRAGMA user_version = 2").unwrap();
    drop(newer);
    let error = SqliteStore::open(folder.file()).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Newer);
    assert!(error.message.contains("use a newer one"), "{error}");
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_an_error() {
    let folder = Folder::new();
    let path = folder.path().join("none").join("runs.db");
    let error = SqliteStore::open(path).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    let error = SqliteStore::open(folder.path()).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    let error = SqliteStore::open(":memory:").await.unwrap_err();
    assert!(error.message.contains("in_memory"), "{error}");
}

/// SQLite itself goes on with files that were deleted.
#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_in_a_file_that_was_deleted() {
    for name in ["runs.db", "runs.db-wal"] {
        for replaced in [false, true] {
            let folder = Folder::new();
            let store = SqliteStore::open(folder.file()).await.unwrap();
            let lease = store.create(&sample::run("r"), LONG).await.unwrap();
            let kept = folder.path().join("kept");
            fs::rename(folder.path().join(name), &kept).unwrap();
            if replaced {
                fs::copy(&kept, folder.path().join(name)).unwrap();
            }
            for error in [
                store.append(&lease, &sample::append(1, "lost")).await,
                store.load(Scope::All, &lease.run_id, 0).await.map(drop),
                store.wait_for_inbox(Scope::All, &lease.run_id, 0).await,
            ] {
                let error = error.unwrap_err();
                assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
                assert_eq!(error.run_id.as_ref(), Some(&lease.run_id));
                assert!(error.message.contains(name), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn a_lock_that_is_held_too_long_is_an_error() {
    let folder = Folder::new();
    let options = SqliteOptions::new().busy_timeout(Duration::from_millis(20));
    let store = options.clone().open(folder.file()).await.unwrap();
    let lease = store.create(&sample::run("r"), LONG).await.unwrap();
    let other = Connection::open(folder.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let append = sample::append(1, "later");
    let error = store.append(&lease, &append).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    assert_eq!(error.run_id.as_ref(), Some(&lease.run_id));
    assert!(error.message.contains("20ms"), "{error}");
    let error = options.open(folder.file()).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    // Who reads does not wait for who writes.
    store.load(Scope::All, &lease.run_id, 0).await.unwrap();

    other.execute_batch("ROLLBACK").unwrap();
    store.append(&lease, &append).await.unwrap();
}

/// Changes a stored run by hand, and returns the error of its next load.
async fn changed(sql: &str) -> StoreError {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file())
        .await
        .expect("the file is new");
    let mut run = sample::run("r");
    run.entries = ["a", "b", "c"].map(str::to_owned).to_vec();
    store.create(&run, LONG).await.expect("the run is new");
    let item = InboxItem::with_id("i", InboxContent::Cancel);
    let put = store.put(Scope::All, &run.info.run_id, &item).await;
    put.expect("the run is there");
    let other = Connection::open(folder.file()).expect("the file is a database");
    other.execute_batch(sql).expect("the statement is right");
    let loaded = store.load(Scope::All, &run.info.run_id, 0).await.map(drop);
    let read = store.inbox(Scope::All, &run.info.run_id, 0).await.map(drop);
    let error = loaded.and(read).expect_err("one of both finds it");
    assert_eq!(error.kind, StoreErrorKind::Corrupt, "{error}");
    assert_eq!(error.run_id, Some(RunId::new("r")));
    error
}

#[tokio::test]
async fn a_run_that_was_changed_by_hand_is_damaged() {
    let error = changed("DELETE FROM entries WHERE sequence = 1").await;
    assert_eq!(error.sequence, Some(1));
    let error = changed("DELETE FROM entries WHERE sequence = 0").await;
    assert_eq!(error.sequence, Some(0));
    changed("UPDATE entries SET text = CAST(x'ff' AS TEXT)").await;
    changed("UPDATE runs SET info = '{}'").await;
    changed("UPDATE runs SET status = 'open'").await;
    changed("UPDATE inbox SET text = ''").await;
    changed("DROP TABLE entries").await;
}

#[tokio::test]
async fn a_damaged_run_takes_no_other_with_it() {
    for sql in [
        "UPDATE runs SET info = '{}' WHERE id = 'r'",
        "UPDATE runs SET status = 'open' WHERE id = 'r'",
        "UPDATE runs SET info = CAST(x'ff' AS TEXT) WHERE id = 'r'",
    ] {
        let folder = Folder::new();
        let store = SqliteStore::open(folder.file()).await.unwrap();
        let [older, mut run, newer] = damaged::three_runs();
        run.info.conversation = Some(ConversationRef::new("talk", 0));
        for run in [&older, &run, &newer] {
            store.create(run, LONG).await.unwrap();
        }
        let other = Connection::open(folder.file()).unwrap();
        other.execute_batch(sql).unwrap();
        damaged::is_listed_beside_the_others(&store, &run.info.run_id, sql).await;
        store.abandon(Scope::All, &run.info.run_id).await.unwrap();
        let next = sample::continuing("next", "talk", 0);
        store.create(&next, LONG).await.unwrap();
        store
            .delete_run(Scope::All, &run.info.run_id)
            .await
            .unwrap();
        let page = store.list(Scope::All, &RunFilter::default()).await.unwrap();
        assert_eq!((page.items.len(), page.damaged.len()), (3, 0), "{sql}");
    }
}

#[tokio::test]
async fn a_damaged_file_is_an_error() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    for number in 0..50 {
        let run = sample::run(&number.to_string());
        store.create(&run, LONG).await.unwrap();
    }
    store.vacuum().await.unwrap();
    drop(store);
    // Its first page is whole: it says whose the file is.
    let mut bytes = fs::read(folder.file()).unwrap();
    bytes[4096..].fill(0xa5);
    fs::write(folder.file(), bytes).unwrap();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    let error = store
        .list(Scope::All, &RunFilter::default())
        .await
        .unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Corrupt, "{error}");
    let run = sample::run("new");
    let error = store.create(&run, LONG).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Corrupt, "{error}");
    assert_eq!(error.run_id, Some(run.info.run_id));
}

#[tokio::test]
async fn a_page_that_nobody_gave_is_an_error() {
    let store = SqliteStore::in_memory().await.unwrap();
    let mut filter = RunFilter::default();
    filter.after = Some("tomorrow".to_owned());
    let error = store.list(Scope::All, &filter).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::NotFound);
    assert!(error.message.contains("tomorrow"), "{error}");
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
        let runs = store.list(Scope::All, &RunFilter::default()).await.unwrap();
        assert_eq!(runs.items.len(), 8);
    }
}
