//! What every golden file has: a run with each kind of thing that a store keeps.

use std::{
    collections::BTreeMap,
    time::{Duration, UNIX_EPOCH},
};

use toolwright::{
    run::{PendingCall, RunId},
    store::{
        Append, ConversationId, ConversationRef, ConversationVersion, InboxContent, InboxItem,
        NewRun, RunFilter, RunInfo, RunStatus, Scope, Store,
    },
};

use crate::sample::{self, LONG};

/// The run of a golden file. Some files have texts with an odd end.
fn run(odd: &str) -> NewRun {
    let created = UNIX_EPOCH + Duration::from_nanos(1_795_000_000_123_456_789);
    let id = RunId::new(format!("r/1 \u{e9}{odd}"));
    let mut info = RunInfo::new(id, "weather", created);
    info.owner = Some("ada".to_owned());
    info.labels = BTreeMap::from([("team".to_owned(), "north".to_owned())]);
    info.conversation = Some(ConversationRef::new("talk", 1));
    NewRun::new(info, vec!["zero".to_owned(), format!("one{odd}")])
}

fn versions() -> [ConversationVersion; 2] {
    [
        ConversationVersion::new(1, "hello"),
        ConversationVersion::new(2, "and more"),
    ]
}

fn parked() -> RunStatus {
    RunStatus::Parked {
        reason: "no progress".to_owned(),
    }
}

/// A call that waits.
fn waits() -> PendingCall {
    let waits = serde_json::from_value(serde_json::json!({
        "run_id": "run",
        "id": {"round": 0, "index": 1},
        "call": {"id": "1", "name": "delete_file", "arguments": "{\"path\": \"a\\n.txt\"}"},
        "waits_for": "approval",
        "since_ms": 1_700_000_000_123_u64,
        "effects": "write",
    }));
    waits.expect("this is a call that waits")
}

/// Fills an empty store.
pub(crate) async fn fill(store: &impl Store, odd: &str) {
    let (run, talk, [first, second]) = (run(odd), ConversationId::new("talk"), versions());
    let saved = store
        .save_conversation(Scope::Owner("ada"), &talk, &first)
        .await;
    saved.expect("the conversation is new");
    let lease = store.create(&run, LONG).await.expect("the run is new");
    let item = InboxItem::with_id("stop", InboxContent::CancelAfterRound);
    let put = store.put(Scope::All, &lease.run_id, &item).await;
    put.expect("the run is there");
    let mut append = Append::new(2, vec!["two".to_owned()]);
    append.taken = 1;
    append.status = Some(parked());
    append.pending = Some(vec![waits()]);
    append.conversation = Some(second);
    let appended = store.append(&lease, &append).await;
    appended.expect("the lease is held");
}

/// Checks that a store has all of it, and goes on with it.
pub(crate) async fn is_read(store: &impl Store, odd: &str) {
    let (expected, talk) = (run(odd), ConversationId::new("talk"));
    let id = &expected.info.run_id;

    let loaded = store
        .load(Scope::All, id, 0)
        .await
        .expect("the run is there");
    assert_eq!(loaded.info, expected.info);
    assert_eq!(loaded.entries, ["zero", &format!("one{odd}"), "two"]);
    assert_eq!((loaded.taken, loaded.held_until), (1, None));
    assert_eq!(loaded.status, parked());
    assert_eq!(loaded.pending, [waits()]);

    let mut filter = RunFilter::default();
    filter.labels = expected.info.labels.clone();
    let listed = store
        .list(Scope::Owner("ada"), &filter)
        .await
        .expect("runs are listed");
    assert_eq!(listed.items[0].info, expected.info);
    assert_eq!((listed.items[0].entries, listed.items[0].ended), (3, None));
    let items = store
        .inbox(Scope::All, id, 0)
        .await
        .expect("the run has an inbox");
    let item = InboxItem::with_id("stop", InboxContent::CancelAfterRound);
    assert_eq!(items[0].item, item);
    let stored = store.conversation(Scope::All, &talk, 0, None).await;
    assert_eq!(stored.expect("the conversation is there"), versions());
    let talks = store.conversations(Scope::Owner("ada"), None, 10).await;
    let talks = talks.expect("conversations are listed");
    assert_eq!((&talks.items[0].id, talks.items[0].version), (&talk, 2));

    // And goes on as any other: with the next token, and a conversation that is still its own.
    let again = store.put(Scope::All, id, &item).await;
    again.expect("an item may be put again");
    let items = store
        .inbox(Scope::All, id, 0)
        .await
        .expect("the run has an inbox");
    assert_eq!(items.len(), 1);
    let deleted = store.delete_conversation(Scope::All, &talk).await;
    deleted.expect_err("a run that is parked needs it");
    let lease = store
        .lease(Scope::All, id, LONG)
        .await
        .expect("the run is free");
    assert_eq!(lease.token, 2);
    let mut end = sample::append(3, "three");
    end.status = sample::end().status;
    let ended = store.append(&lease, &end).await;
    ended.expect("the lease is held");
    let deleted = store.delete_run(Scope::All, id).await;
    deleted.expect("the run is over");
    let deleted = store.delete_conversation(Scope::All, &talk).await;
    deleted.expect("nobody needs it");
    let next = store.create(&sample::run("next"), LONG).await;
    next.expect("another run is new");
}
