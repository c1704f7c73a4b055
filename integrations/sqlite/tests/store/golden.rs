//! A file of each version of the tables is kept, and read for ever.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

use rusqlite::Connection;
use toolwright::{
    run::RunId,
    store::{
        Append, ConversationId, ConversationRef, ConversationVersion, InboxContent, InboxItem,
        NewRun, RunFilter, RunInfo, RunStatus, SqliteStore, Store,
    },
};

use crate::{folder::Folder, sample::LONG};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/golden/version_1.db")
}

/// The run of the golden file.
fn run() -> NewRun {
    let created = UNIX_EPOCH + Duration::from_nanos(1_795_000_000_123_456_789);
    let mut info = RunInfo::new(RunId::new("r/1 \u{e9}"), "weather", created);
    info.owner = Some("ada".to_owned());
    info.labels = BTreeMap::from([("team".to_owned(), "north".to_owned())]);
    info.conversation = Some(ConversationRef::new("talk", 1));
    NewRun::new(info, vec!["zero".to_owned(), "one".to_owned()])
}

fn versions() -> [ConversationVersion; 2] {
    [
        ConversationVersion::new(1, "hello"),
        ConversationVersion::new(2, "and more"),
    ]
}

async fn fill(store: &SqliteStore) {
    let (run, talk, [first, second]) = (run(), ConversationId::new("talk"), versions());
    let saved = store.save_conversation(&talk, Some("ada"), &first).await;
    saved.expect("the conversation is new");
    let lease = store.create(&run, LONG).await.expect("the run is new");
    let item = InboxItem::with_id("stop", InboxContent::CancelAfterRound);
    let put = store.put(&lease.run_id, &item).await;
    put.expect("the run is there");
    let mut append = Append::new(2, vec!["two".to_owned()]);
    append.taken = 1;
    append.status = Some(RunStatus::Parked {
        reason: "no progress".to_owned(),
    });
    append.conversation = Some(second);
    let appended = store.append(&lease, &append).await;
    appended.expect("the lease is held");
}

#[tokio::test]
async fn version_1_is_read() {
    let folder = Folder::new();
    fs::copy(golden(), folder.file()).unwrap();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    let (expected, talk) = (run(), ConversationId::new("talk"));
    let id = &expected.info.run_id;

    let loaded = store.load(id, 0).await.unwrap();
    assert_eq!(loaded.info, expected.info);
    assert_eq!(loaded.entries, ["zero", "one", "two"]);
    assert_eq!((loaded.taken, loaded.held_until), (1, None));
    let parked = RunStatus::Parked {
        reason: "no progress".to_owned(),
    };
    assert_eq!(loaded.status, parked);

    let mut filter = RunFilter::default();
    filter.owner = Some("ada".to_owned());
    filter.labels = expected.info.labels.clone();
    let listed = store.list(&filter).await.unwrap();
    assert_eq!(
        (listed.items[0].info.clone(), listed.items[0].entries),
        (expected.info.clone(), 3)
    );
    let items = store.inbox(id, 0).await.unwrap();
    assert_eq!(
        items[0].item,
        InboxItem::with_id("stop", InboxContent::CancelAfterRound)
    );
    assert_eq!(store.conversation(&talk, None).await.unwrap(), versions());
    let talks = store.conversations(Some("ada"), None, 10).await.unwrap();
    assert_eq!(
        (talks.items[0].id.clone(), talks.items[0].version),
        (talk.clone(), 2)
    );

    // And goes on as any other: with the next token, and a conversation that is still its own.
    assert!(store.delete_conversation(&talk).await.is_err());
    let lease = store.lease(id, LONG).await.unwrap();
    assert_eq!(lease.token, 2);
    let mut end = Append::new(3, vec!["three".to_owned()]);
    end.status = Some(RunStatus::Finished);
    store.append(&lease, &end).await.unwrap();
    store.delete_run(id).await.unwrap();
    store.delete_conversation(&talk).await.unwrap();
}

/// Other tables need another version, and a golden file of it.
#[tokio::test]
async fn version_1_has_the_tables_that_are_made_today() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    let tables = |file: &Path| {
        let connection = Connection::open(file).unwrap();
        let mut select = connection
            .prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")
            .unwrap();
        let rows = select.query_map([], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))
        });
        rows.unwrap().collect::<Result<Vec<_>, _>>().unwrap()
    };
    let copy = folder.path().join("golden.db");
    fs::copy(golden(), &copy).unwrap();
    assert_eq!(tables(&copy), tables(&folder.file()));
    drop(store);
}

#[tokio::test]
#[ignore = "writes the golden file of the version of today"]
async fn write_the_golden_file() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    fill(&store).await;
    store.vacuum().await.unwrap();
    fs::create_dir_all(golden().parent().unwrap()).unwrap();
    fs::copy(folder.file(), golden()).unwrap();
}
