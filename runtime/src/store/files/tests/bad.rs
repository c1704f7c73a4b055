//! Folders that are not as they should be.

use std::{fs, time::Duration};

use super::{LONG, continues, folder::Folder, id, texts};
use crate::store::{Append, ConversationId, FileStore, RunFilter, Store, StoreErrorKind};

#[tokio::test]
async fn a_file_of_another_program_is_an_error_that_names_the_run() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let run = folder.path().join("runs/x-run");
    let long = format!("# {}\n", "notes ".repeat(500));
    for (name, text, kind) in [
        (
            "log-00000000000000000002.jsonl",
            &*long,
            StoreErrorKind::Corrupt,
        ),
        (
            "log-00000000000000000002.jsonl",
            "# notes\n",
            StoreErrorKind::Corrupt,
        ),
        (
            "log-00000000000000000002.jsonl",
            "{\"version\":2,\"of\":\"later\"}\n",
            StoreErrorKind::Newer,
        ),
        (
            "log-00000000000000000002.jsonl",
            "{\"version\":1,\"token\":7}\n",
            StoreErrorKind::Corrupt,
        ),
        ("info.json", "", StoreErrorKind::Corrupt),
        ("info.json", "{\"version\":9}", StoreErrorKind::Newer),
        (
            "inbox/item-00000000000000000001.json",
            "[]",
            StoreErrorKind::Corrupt,
        ),
        (
            "inbox/item-00000000000000000001.json",
            "{\"version\":2}",
            StoreErrorKind::Newer,
        ),
    ] {
        let _ = fs::remove_dir_all(&run);
        store
            .create(&continues("run", 0), Duration::ZERO)
            .await
            .expect("a run");
        fs::write(run.join("notes.txt"), "of another program").expect("a file is written");
        store
            .load(&id(), 0)
            .await
            .expect("other names are left alone");
        fs::write(run.join(name), text).expect("a file is written");
        let error = if name.starts_with("inbox") {
            store.inbox(&id(), 0).await.expect_err("it is no item")
        } else {
            store.load(&id(), 0).await.expect_err("it is none of a run")
        };
        assert_eq!(error.kind, kind, "{name}: {error}");
        if name != "info.json" {
            assert_eq!(error.run_id, Some(id()), "{name}: {error}");
        }
    }
}

#[tokio::test]
async fn a_folder_that_is_deleted_under_way_is_an_error() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let lease = store
        .create(&continues("run", 0), LONG)
        .await
        .expect("a run");
    store
        .append(&lease, &Append::new(1, texts(["one"])))
        .await
        .expect("an append");
    fs::remove_dir_all(folder.path().join("runs")).expect("it is deleted");
    let late = store.append(&lease, &Append::new(2, texts(["two"]))).await;
    let error = late.expect_err("the run is gone");
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::NotFound, Some(id()))
    );
    fs::remove_dir_all(folder.path()).expect("all is deleted");
    let new = store.create(&continues("other", 0), LONG).await;
    let new = new.err().map(|error| error.kind);
    assert!(
        matches!(new, None | Some(StoreErrorKind::Unavailable)),
        "{new:?}"
    );
    assert!(store.list(&RunFilter::default()).await.is_ok());
}

#[tokio::test]
async fn a_place_where_nothing_can_be_written_is_an_error() {
    let folder = Folder::new();
    let file = folder.path().join("file");
    fs::write(&file, "text").expect("a file is written");
    let error = FileStore::open(&file).await.expect_err("it is no folder");
    assert_eq!(error.kind, StoreErrorKind::Unavailable);

    let store = folder.process(1).await;
    // A folder whose parent is a file cannot be written, also by the administrator.
    fs::remove_dir(folder.path().join("conversations")).expect("it is empty");
    fs::write(folder.path().join("conversations"), "text").expect("a file is written");
    let error = store
        .create(&continues("run", 0), LONG)
        .await
        .expect_err("no folder");
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::Unavailable, Some(id()))
    );
    assert_eq!(
        store.load(&id(), 0).await.expect_err("no run").kind,
        StoreErrorKind::NotFound
    );
}

#[tokio::test]
async fn a_newer_store_is_refused() {
    let folder = Folder::new();
    fs::write(
        folder.path().join("toolwright-store.json"),
        "{\"version\":2}",
    )
    .expect("written");
    let error = FileStore::open(folder.path())
        .await
        .expect_err("it is newer");
    assert_eq!(error.kind, StoreErrorKind::Newer);
    fs::write(folder.path().join("toolwright-store.json"), "mine").expect("written");
    let error = FileStore::open(folder.path())
        .await
        .expect_err("it is of another program");
    assert_eq!(error.kind, StoreErrorKind::Corrupt);
}

#[tokio::test]
async fn a_version_of_another_program_is_an_error() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let path = folder.path().join("conversations/x-talk");
    fs::create_dir_all(&path).expect("a folder");
    let talk = ConversationId::new("talk");
    fs::write(path.join("version-00000000000000000002.json"), "{}").expect("a file");
    let error = store
        .conversation(&talk, None)
        .await
        .expect_err("version 1 is missing");
    assert_eq!(error.kind, StoreErrorKind::Corrupt);
    fs::write(path.join("version-00000000000000000001.json"), "{}").expect("a file");
    let error = store
        .conversation(&talk, None)
        .await
        .expect_err("it is none");
    assert_eq!(error.kind, StoreErrorKind::Corrupt);
}
