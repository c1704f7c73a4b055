//! Runs that cannot be read, and what goes on beside them.

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use super::{LONG, continues, folder::Folder, id, texts};
use crate::{
    run::RunId,
    store::{
        Append, ConversationId, ConversationVersion, FileStore, Lease, NewRun, Page, RunFilter,
        RunInfo, RunStatus, RunSummary, Store, StoreErrorKind, files::disk::Disk, retention,
    },
};

type Damage = fn(&Path);

fn rewrite(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("the file is text");
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).expect("it is written");
}

const DAMAGES: [(&str, Damage); 4] = [
    ("a line of its log", |run| {
        let segment = run.join("log-00000000000000000001.jsonl");
        rewrite(&segment, "{\"zero\":0}", "{\"zero\":");
    }),
    ("a segment is missing", |run| {
        let segment = run.join("log-00000000000000000001.jsonl");
        fs::remove_file(segment).expect("it is removed");
    }),
    ("what is known of it", |run| {
        fs::write(run.join("info.json"), "notes").expect("it is written");
    }),
    ("the folder of another run", |run| {
        rewrite(&run.join("info.json"), "\"run\"", "\"else\"");
    }),
];

async fn page(store: &FileStore, filter: &RunFilter) -> Page<RunSummary> {
    store.list(filter).await.expect("the others are listed")
}

fn names(page: &Page<RunSummary>) -> Vec<&str> {
    let names = page.items.iter();
    names.map(|run| run.info.run_id.as_str()).collect()
}

async fn beside(store: &FileStore, run: &str, seconds: u64) {
    let created = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    let info = RunInfo::new(RunId::new(run), "runner", created);
    let created = store
        .create(&NewRun::new(info, texts(["zero"])), LONG)
        .await;
    created.expect("a run");
}

#[tokio::test]
async fn a_damaged_run_takes_no_other_with_it() {
    for (what, damage) in DAMAGES {
        let folder = Folder::new();
        let store = folder.process(1).await;
        let created = store.create(&continues("run", 0), Duration::ZERO).await;
        created.expect("a run");
        store
            .lease(&id(), Duration::ZERO)
            .await
            .expect("it is free");
        beside(&store, "older", 0).await;
        beside(&store, "newer", 60).await;
        damage(&folder.path().join("runs/x-run"));

        let all = page(&store, &RunFilter::default()).await;
        assert_eq!(names(&all), ["newer", "older"], "{what}");
        let [error] = &all.damaged[..] else {
            panic!("{what}: {:?}", all.damaged);
        };
        assert_eq!(error.kind, StoreErrorKind::Corrupt, "{what}: {error}");
        assert_eq!(error.run_id, Some(id()), "{what}: {error}");
        // It is on one page.
        let mut ones = RunFilter {
            limit: 1,
            ..RunFilter::default()
        };
        let first = page(&store, &ones).await;
        ones.after.clone_from(&first.next);
        let second = page(&store, &ones).await;
        assert_eq!(
            (names(&first), names(&second)),
            (vec!["newer"], vec!["older"])
        );
        let damaged = first.damaged.len() + second.damaged.len();
        assert_eq!(damaged, 1, "{what}");

        // Its conversation is read, and belongs to it.
        let talk = ConversationId::new("talk");
        let versions = store.conversation(&talk, None).await;
        assert_eq!(versions.expect("a conversation"), [], "{what}");
        let busy = store.create(&continues("next", 0), LONG).await;
        let error = busy.expect_err("the run is not over");
        assert_eq!(error.kind, StoreErrorKind::ConversationBusy, "{what}");
        let early = store.delete_run(&id()).await;
        early.expect_err("the run is not over");

        store.abandon(&id()).await.expect(what);
        let again = store.abandon(&id()).await.expect_err("it is over");
        assert_eq!(again.kind, StoreErrorKind::RunIsOver, "{what}");
        let next = store.create(&continues("next", 0), LONG).await;
        next.expect("the conversation is free");
        if let Ok(run) = store.load(&id(), 0).await {
            assert_eq!(run.status, RunStatus::Abandoned, "{what}");
            assert_eq!(run.entries, [""; 0], "{what}");
        }
        store.delete_run(&id()).await.expect(what);
        let all = page(&store, &RunFilter::default()).await;
        assert_eq!((all.items.len(), all.damaged.len()), (3, 0), "{what}");
    }
}

#[tokio::test]
async fn a_run_of_a_newer_version_is_left_to_a_newer_program() {
    for name in ["info.json", "log-00000000000000000001.jsonl"] {
        let folder = Folder::new();
        let store = folder.process(1).await;
        let created = store.create(&continues("run", 0), Duration::ZERO).await;
        created.expect("a run");
        let path = folder.path().join("runs/x-run").join(name);
        rewrite(&path, "\"version\":1", "\"version\":2");
        let all = page(&store, &RunFilter::default()).await;
        assert_eq!(all.damaged[0].kind, StoreErrorKind::Newer, "{name}");
        assert_eq!(all.damaged[0].run_id, Some(id()), "{name}");
        let before = fs::read(&path).expect("it is there");
        for refused in [
            store.abandon(&id()).await,
            store.delete_run(&id()).await,
            store.load(&id(), 0).await.map(drop),
        ] {
            let error = refused.expect_err("it is newer");
            assert_eq!(error.kind, StoreErrorKind::Newer, "{name}: {error}");
            assert!(error.message.contains("use a newer one"), "{error}");
        }
        assert_eq!(fs::read(&path).expect("it is there"), before, "{name}");
    }
}

#[tokio::test]
async fn a_damaged_conversation_takes_no_other_with_it() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let version = ConversationVersion::new(1, "text");
    for talk in ["broken", "whole"] {
        let id = ConversationId::new(talk);
        let saved = store.save_conversation(&id, None, &version).await;
        saved.expect("it is saved");
    }
    let path = folder.path().join("conversations/x-broken");
    let path = path.join("version-00000000000000000001.json");
    fs::write(&path, "notes").expect("it is written");
    let page = store.conversations(None, None, 10).await;
    let page = page.expect("the others are listed");
    assert_eq!(page.items.len(), 1);
    assert_eq!(page.items[0].id, ConversationId::new("whole"));
    assert_eq!(page.damaged.len(), 1);
    assert!(page.damaged[0].message.contains("x-broken"));
    let deleted = store
        .delete_conversation(&ConversationId::new("broken"))
        .await;
    deleted.expect("it can be deleted");
}

/// A store with two runs that are over and two conversations, one of each damaged in what its deletion needs.
async fn old_and_damaged() -> (Folder, FileStore) {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let created = store.create(&continues("run", 0), LONG).await;
    created.expect("a run");
    beside(&store, "other", 60).await;
    for run in ["run", "other"] {
        let lease = Lease::new(RunId::new(run), 1, SystemTime::now());
        let end = Append {
            status: Some(RunStatus::Finished),
            ..Append::default()
        };
        store.append(&lease, &end).await.expect("it finishes");
    }
    for talk in ["broken", "whole"] {
        for number in [1, 2] {
            let version = ConversationVersion::new(number, "text");
            let id = ConversationId::new(talk);
            let saved = store.save_conversation(&id, None, &version).await;
            saved.expect("it is saved");
        }
    }
    for conversation in ["talk", "broken"] {
        let path = folder.path().join("conversations/x-").display().to_string() + conversation;
        for file in fs::read_dir(&path).expect("a conversation") {
            let path = file.expect("a name").path();
            let name = path.file_name().expect("a name").display().to_string();
            if name.starts_with("lock-") {
                fs::write(path, "notes").expect("it is written");
            }
        }
    }
    (folder, store)
}

#[tokio::test]
async fn what_is_damaged_is_left_and_the_rest_of_what_is_old_is_deleted() {
    let later = SystemTime::now() + Duration::from_secs(60);
    for own in [true, false] {
        let (_folder, store) = old_and_damaged().await;
        let mut counts = Vec::new();
        for _ in 0..2 {
            let deleted = if own {
                store.delete_before(later).await
            } else {
                // As in a store that has no way of its own.
                retention::delete_before(&store, later).await
            };
            let deleted = deleted.expect("what is whole is deleted");
            counts.push((deleted.runs, deleted.conversations, deleted.damaged));
        }
        // The folder of the damaged run stays, and so does the damaged conversation.
        assert_eq!(counts, [(1, 1, 2), (0, 0, 2)], "its own way: {own}");
        let left = page(&store, &RunFilter::default()).await;
        assert_eq!(names(&left), ["run"]);
    }
}

#[tokio::test]
async fn a_list_of_conversations_reads_no_log_in_vain() {
    let (folder, disk) = (Folder::new(), Disk::default());
    let power = disk.power.clone();
    let store = folder.store_on(disk).await;
    let version = ConversationVersion::new(1, "text");
    let talk = ConversationId::new("talk");
    let saved = store.save_conversation(&talk, None, &version).await;
    saved.expect("it is saved");
    let created = store.create(&continues("run", 1), LONG).await;
    created.expect("a run");
    let has_read = Arc::new(AtomicBool::new(false));
    let read = has_read.clone();
    // The version is read, and nothing else.
    power.while_reading(1, move || read.store(true, Ordering::Relaxed));
    let page = store.conversations(None, None, 10).await;
    assert_eq!(page.expect("it is listed").items.len(), 1);
    assert!(!has_read.load(Ordering::Relaxed));
}
