//! What another process does between two steps, where two would have what only one may.

use std::{
    fs,
    sync::{Arc, Mutex},
    time::Duration,
};

use super::{LONG, continues, folder::Folder, id, texts};
use crate::{
    run::RunId,
    store::{
        Append, ConversationId, ConversationVersion, FileStore, InboxContent, InboxItem, Lease,
        NewRun, RunFilter, RunStatus, Store, StoreErrorKind, files::disk::Disk,
    },
};

fn item(id: &str) -> InboxItem {
    InboxItem::with_id(id, InboxContent::Cancel)
}

fn finished(taken: u64) -> Append {
    let mut append = Append::new(1, texts(["last"]));
    append.status = Some(RunStatus::Finished);
    append.taken = taken;
    append
}

/// Creates a run and finishes it, from within a step of another process.
fn begin_and_finish(store: &FileStore, run: &NewRun) {
    let lease = store.0.create(run, LONG).expect("the conversation is free");
    store.0.append(&lease, &finished(0)).expect("it finishes");
}

#[tokio::test]
async fn an_item_that_comes_with_the_end_is_heard_or_refused() {
    // The driver has heard it, or has not.
    for taken in [0, 1] {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let (first, driver) = (folder.store_on(disk).await, folder.process(2).await);
        let lease = driver.create(&continues("run", 0), LONG).await;
        let lease = lease.expect("a run");
        // The item is about to get its place, or has it already.
        let steps = if taken == 0 { 0 } else { 3 };
        power.meanwhile(steps, move || {
            driver
                .0
                .append(&lease, &finished(taken))
                .expect("it finishes");
        });
        let expected = (taken == 0).then_some(StoreErrorKind::RunIsOver);
        for tried in ["once", "again"] {
            let put = first.put(&id(), &item("a")).await;
            let refused = put.err().map(|error| error.kind);
            assert_eq!(refused, expected, "taken: {taken}, {tried}");
        }
    }
}

#[tokio::test]
async fn a_conversation_has_one_run_whatever_others_do_meanwhile() {
    let mut refused = 0;
    for steps in 0..20 {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let (first, other) = (folder.store_on(disk).await, folder.process(2).await);
        let second = Arc::new(Mutex::new(None));
        let seen = second.clone();
        // Two runs come and go, and a third one stays.
        power.meanwhile(steps, move || {
            let begins = |run: &str| other.0.create(&continues(run, 0), LONG);
            for run in ["a", "b"] {
                if let Ok(lease) = begins(run) {
                    let ended = other.0.append(&lease, &finished(0));
                    ended.expect("it finishes");
                }
            }
            *seen.lock().expect("it is whole") = Some(begins("c"));
        });
        let begun = first.create(&continues("run", 0), LONG).await;
        let second = second.lock().expect("it is whole").take();
        let Some(second) = second else {
            begun.expect("nobody came");
            continue;
        };
        assert!(
            begun.is_ok() != second.is_ok(),
            "after {steps} steps: {begun:?} and {second:?}"
        );
        if let Err(error) = begun {
            assert_eq!(error.kind, StoreErrorKind::ConversationBusy, "{error}");
            refused += 1;
        }
    }
    assert!(refused > 5, "{refused}");
}

#[tokio::test]
async fn a_conversation_that_began_anew_has_one_run() {
    let talk = ConversationId::new("talk");
    let version = ConversationVersion::new(1, "text");
    let mut begun = 0;
    for steps in 0..20 {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let (first, other) = (folder.store_on(disk).await, folder.process(2).await);
        let saved = other.save_conversation(&talk, None, &version).await;
        saved.expect("it is saved");
        let (id, third) = (talk.clone(), other.clone());
        let anew = Arc::new(Mutex::new(false));
        let seen = anew.clone();
        // The conversation goes, and another one of its id begins with a run.
        power.meanwhile(steps, move || {
            if other.0.delete_conversation(&id, |_| Ok(())).is_ok() {
                let created = other.0.create(&continues("anew", 0), LONG);
                created.expect("nobody has the conversation");
                *seen.lock().expect("it is whole") = true;
            }
        });
        let late = first.create(&continues("run", 1), LONG).await;
        if !*anew.lock().expect("it is whole") {
            late.unwrap_or_else(|error| panic!("after {steps} steps: {error}"));
            continue;
        }
        begun += 1;
        late.expect_err("what it continues is gone");
        let next = third.create(&continues("next", 0), LONG).await;
        let error = next.expect_err("the new conversation has a run");
        let is_busy = error.kind == StoreErrorKind::ConversationBusy;
        assert!(is_busy, "after {steps} steps: {error}");
    }
    assert!(begun > 5, "{begun}");
}

#[tokio::test]
async fn a_conversation_that_is_deleted_while_it_is_read_is_not_damaged() {
    let talk = ConversationId::new("talk");
    let mut gone = 0;
    for reads in 0..10 {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let (first, other) = (folder.store_on(disk).await, folder.process(2).await);
        for number in 1..4 {
            let version = ConversationVersion::new(number, "text");
            let saved = other.save_conversation(&talk, None, &version).await;
            saved.expect("it is saved");
        }
        let id = talk.clone();
        power.while_reading(reads, move || {
            let deleted = other.0.delete_conversation(&id, |_| Ok(()));
            deleted.expect("nobody has it");
        });
        let versions = first.conversation(&talk, None).await;
        let versions = versions.unwrap_or_else(|error| panic!("after {reads} reads: {error}"));
        assert!([0, 3].contains(&versions.len()), "after {reads} reads");
        gone += usize::from(versions.is_empty());
    }
    assert!(gone > 2, "{gone}");
}

#[tokio::test]
async fn a_run_that_is_deleted_while_runs_are_listed_is_not_damaged() {
    let mut gone = 0;
    for reads in 0..12 {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let (first, other) = (folder.store_on(disk).await, folder.process(2).await);
        let created = other.create(&continues("run", 0), Duration::ZERO).await;
        created.expect("a run");
        let lease = other.lease(&id(), LONG).await.expect("it is free");
        let ended = other.append(&lease, &finished(0)).await;
        ended.expect("it finishes");
        power.while_reading(reads, move || {
            other.0.delete_run(&id()).expect("it is over");
        });
        let page = first.list(&RunFilter::default()).await;
        let page = page.unwrap_or_else(|error| panic!("after {reads} reads: {error}"));
        assert_eq!(page.damaged, [], "after {reads} reads");
        gone += usize::from(page.items.is_empty());
    }
    assert!(gone > 3, "{gone}");
}

#[tokio::test]
async fn an_item_is_read_after_those_before_it() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let created = store.create(&continues("run", 0), LONG).await;
    let lease = created.expect("a run");
    for name in ["a", "b", "c"] {
        store.put(&id(), &item(name)).await.expect("an item");
    }
    // Who reads the folder meets the name of the third item, and not yet that of the second.
    let inbox = folder.path().join("runs/x-run/inbox");
    let second = inbox.join("item-00000000000000000002.json");
    fs::rename(&second, inbox.join(".later")).expect("it is renamed");
    let items = store.inbox(&id(), 0).await.expect("an inbox");
    assert_eq!(items.len(), 1, "{items:?}");
    let items = store.inbox(&id(), 1).await.expect("an inbox");
    assert_eq!(
        items,
        [],
        "the third item would be taken, and the second never"
    );
    fs::rename(inbox.join(".later"), &second).expect("it is renamed");
    let items = store.inbox(&id(), 1).await.expect("an inbox");
    assert_eq!(items.len(), 2);
    store
        .append(&lease, &finished(3))
        .await
        .expect("it finishes");
}

/// A run whose driver ended it while somebody began to take its lease, and died.
async fn ended_while_taken() -> (Folder, FileStore) {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let created = store.create(&continues("run", 0), Duration::ZERO).await;
    created.expect("a run");
    let run = folder.path().join("runs/x-run");
    let path = run.join("log-00000000000000000001.jsonl");
    let mut lines = fs::read(&path).expect("the first segment");
    lines.extend_from_slice(
        b"{\"end\":{\"first\":1,\"entries\":0,\"status\":{\"type\":\"finished\"}}}\n",
    );
    fs::write(&path, lines).expect("it is written");
    let file = fs::File::create_new(run.join("log-00000000000000000002.jsonl"));
    let minute = std::time::SystemTime::now() - Duration::from_secs(60);
    let set = file.expect("a segment").set_modified(minute);
    set.expect("the time is set");
    (folder, store)
}

#[tokio::test]
async fn an_end_that_may_not_count_frees_nothing() {
    let (folder, store) = ended_while_taken().await;
    let other = continues("other", 0);
    let busy = store.create(&other, LONG).await;
    let error = busy.expect_err("the run may go on");
    assert_eq!(error.kind, StoreErrorKind::ConversationBusy);
    let kept = store.delete_run(&id()).await;
    let error = kept.expect_err("the run may go on");
    assert_eq!(error.kind, StoreErrorKind::InUse);

    // Somebody was faster than the end: it does not count.
    let run = folder.path().join("runs/x-run");
    let first = fs::read_to_string(run.join("log-00000000000000000001.jsonl"));
    let first = first.expect("the first segment");
    let before = first.find("{\"end\":{\"first\":1").expect("the last line");
    let header = format!(
        "{{\"version\":1,\"token\":2,\"after\":{{\"token\":1,\"bytes\":{before}}},\"until_ms\":1}}\n"
    );
    fs::write(run.join("log-00000000000000000002.jsonl"), header).expect("it is written");
    let lease = Lease::new(id(), 2, std::time::SystemTime::now());
    store
        .append(&lease, &Append::new(1, texts(["one"])))
        .await
        .expect("the run goes on");
}

#[tokio::test]
async fn who_asks_for_a_run_settles_if_its_end_counts() {
    for asks in ["lease", "abandon"] {
        let (_folder, store) = ended_while_taken().await;
        let asked = match asks {
            "lease" => store.lease(&id(), LONG).await.map(drop),
            _ => store.abandon(&id()).await,
        };
        assert_eq!(
            asked.expect_err("it is over").kind,
            StoreErrorKind::RunIsOver
        );
        begin_and_finish(&store, &continues("other", 0));
        let talk = ConversationId::new("talk");
        let versions = store.conversation(&talk, None).await;
        assert_eq!(versions.expect("a conversation"), []);
        store.delete_run(&id()).await.expect("it is over");
        let gone = store.load(&RunId::new("run"), 0).await;
        assert_eq!(gone.expect_err("it is gone").kind, StoreErrorKind::NotFound);
    }
}
