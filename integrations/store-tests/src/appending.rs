//! What is appended, whole or not at all.

use std::time::SystemTime;

use super::{
    case::Shared,
    fixture::{
        LONG, at, continues, created, created_of, filter, finish, id, inbox, item, loaded, put,
        refused, refused_of, status, texts, versions,
    },
};
use toolwright::{
    run::PendingCall,
    store::{Append, ConversationVersion, Lease, RunStatus, Scope, StoreErrorKind},
};

pub(super) async fn entries_are_added_in_order(store: Shared) {
    let lease = created(&store, "run").await;
    for (first, entries) in [
        (1, vec!["one"]),
        (2, vec!["two", "three", "four"]),
        (5, vec!["five"]),
    ] {
        let mut append = Append::new(first, texts(&entries));
        append.synced = first != 2;
        let appended = store.append(&lease, &append).await;
        appended.expect("the next entries are appended");
    }
    let entries = loaded(&store, "run").await.entries;
    assert_eq!(
        entries,
        ["zero", "one", "two", "three", "four", "five"],
        "in order"
    );
}

pub(super) async fn an_entry_out_of_sequence_changes_nothing(store: Shared) {
    let lease = created_of(&store, &continues("run", "conversation", 0)).await;
    put(&store, "run", "item").await;
    for first in [0, 2, u64::MAX] {
        let mut append = Append::new(first, texts(&["wrong", "wrong"]));
        append.taken = 1;
        append.status = Some(RunStatus::Finished);
        append.conversation = Some(ConversationVersion::new(1, "wrong"));
        let appended = store.append(&lease, &append).await;
        let error = refused("a wrong place", appended, StoreErrorKind::OutOfSequence);
        assert_eq!(error.run_id, Some(id("run")), "the error names the run");
        assert_eq!(error.sequence, Some(first), "the error names the place");
    }
    let run = loaded(&store, "run").await;
    assert_eq!(run.entries, ["zero"], "nothing is appended");
    assert_eq!(run.status, RunStatus::Open, "the status stays");
    assert_eq!(run.taken, 0, "the place of the inbox stays");
    assert!(run.held_until.is_some(), "the lease stays");
    assert_eq!(
        versions(&store, "conversation").await,
        [],
        "nothing is saved"
    );
    let appended = store.append(&lease, &Append::new(1, texts(&["one"]))).await;
    appended.expect("the next entry is still entry 1");
}

pub(super) async fn an_append_without_entries_has_no_place(store: Shared) {
    let lease = created(&store, "run").await;
    for first in [0, 1, 99] {
        let mut append = Append::new(first, Vec::new());
        append.taken = first;
        let appended = store.append(&lease, &append).await;
        appended.expect("without entries the place is not looked at");
    }
    let run = loaded(&store, "run").await;
    assert_eq!(
        (run.entries.len(), run.taken),
        (1, 99),
        "the rest is changed"
    );
    let appended = store.append(&lease, &Append::default()).await;
    appended.expect("an append may change nothing");
    let appended = store.append(&lease, &Append::new(1, texts(&["one"]))).await;
    appended.expect("the next entry is entry 1");
}

pub(super) async fn the_place_of_the_inbox_does_not_go_back(store: Shared) {
    let lease = created(&store, "run").await;
    for (taken, expected) in [(3, 3), (1, 3), (0, 3), (8, 8)] {
        let mut append = Append::default();
        append.taken = taken;
        let appended = store.append(&lease, &append).await;
        appended.expect("the place of the inbox is appended");
        assert_eq!(loaded(&store, "run").await.taken, expected, "after {taken}");
    }
}

/// A call that waits.
fn waits(index: u32) -> PendingCall {
    let waits = serde_json::from_value(serde_json::json!({
        "run_id": "run",
        "id": {"round": 0, "index": index},
        "call": {"id": "1", "name": "delete_file", "arguments": "{\"path\": \"a\\n.txt\"}"},
        "waits_for": "approval",
        "since_ms": 1_700_000_000_123_u64,
        "effects": "write",
        "definition": {
            "name": "delete_file",
            "description": "Deletes a file.",
            "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
        },
    }));
    waits.expect("this is a call that waits")
}

/// An append that says which calls wait.
fn waiting(pending: Vec<PendingCall>) -> Append {
    let mut append = Append::default();
    append.pending = Some(pending);
    append
}

pub(super) async fn calls_that_wait_are_kept(store: Shared) {
    let pending = async || {
        let (loaded, page) = (
            loaded(&store, "run").await,
            store.list(Scope::All, &filter(|_| {})).await,
        );
        let page = page.expect("runs are listed");
        assert_eq!(page.items[0].pending, loaded.pending, "in a list");
        loaded.pending
    };
    let lease = created(&store, "run").await;
    assert_eq!(pending().await, [], "of a new run");
    let one = Append::new(1, texts(&["one"]));
    let both = [waits(0), waits(1)];
    for (append, expected) in [
        (waiting(both.to_vec()), &both[..]),
        (one, &both[..]),
        (waiting(both[1..].to_vec()), &both[1..]),
        (status(RunStatus::Suspended), &both[1..]),
    ] {
        let appended = store.append(&lease, &append).await;
        appended.expect("the lease is held");
        assert_eq!(pending().await, expected, "after {append:?}");
    }
    let lease = store
        .lease(Scope::All, &id("run"), LONG)
        .await
        .expect("it is free");
    let mut open = waiting(Vec::new());
    open.status = Some(RunStatus::Open);
    store
        .append(&lease, &open)
        .await
        .expect("the lease is held");
    assert_eq!(pending().await, [], "none waits");
}

pub(super) async fn nothing_waits_of_a_run_that_is_over(store: Shared) {
    for run in ["finished", "given up"] {
        let lease = created(&store, run).await;
        let appended = store.append(&lease, &waiting(vec![waits(0)])).await;
        appended.expect("the lease is held");
        if run == "finished" {
            finish(&store, &lease).await;
        } else {
            store
                .abandon(Scope::All, &id(run))
                .await
                .expect("it is not over");
        }
        assert_eq!(loaded(&store, run).await.pending, [], "{run}");
    }
}

pub(super) async fn a_status_is_kept(store: Shared) {
    let mut lease = created(&store, "run").await;
    for expected in [
        RunStatus::Suspended,
        RunStatus::Open,
        RunStatus::Parked {
            reason: "\"it\" got\nno further".to_owned(),
        },
        RunStatus::Open,
        RunStatus::Finished,
    ] {
        let appended = store.append(&lease, &status(expected.clone())).await;
        appended.expect("a status is appended");
        assert_eq!(loaded(&store, "run").await.status, expected, "the status");
        if !expected.is_over() && expected != RunStatus::Open {
            lease = store
                .lease(Scope::All, &id("run"), LONG)
                .await
                .expect("the run is free");
        }
    }
}

pub(super) async fn a_status_gives_the_lease_back(store: Shared) {
    let lease = created(&store, "open").await;
    let appended = store.append(&lease, &status(RunStatus::Open)).await;
    appended.expect("a status is appended");
    let other = store.lease(Scope::All, &id("open"), LONG).await;
    refused_of(
        "the lease of an open run",
        "open",
        other,
        StoreErrorKind::Held,
    );

    let parked = RunStatus::Parked {
        reason: "why".to_owned(),
    };
    let suspended = RunStatus::Suspended;
    for (run, is) in [
        ("suspended", suspended),
        ("parked", parked),
        ("over", RunStatus::Finished),
    ] {
        let lease = created(&store, run).await;
        let appended = store.append(&lease, &status(is.clone())).await;
        appended.expect("a status is appended");
        assert_eq!(
            loaded(&store, run).await.held_until,
            None,
            "nobody holds the {run} run"
        );
        if !is.is_over() {
            let other = store.lease(Scope::All, &id(run), LONG).await;
            other.expect("a run whose lease was given back is free");
        }
    }
}

pub(super) async fn a_run_is_suspended_with_an_empty_inbox_only(store: Shared) {
    let suspended = RunStatus::Suspended;
    let lease = created_of(&store, &continues("run", "conversation", 0)).await;
    put(&store, "run", "a").await;
    let place = inbox(&store, "run", 0).await[0].0;
    let mut append = Append::new(1, texts(&["one"]));
    append.status = Some(suspended.clone());
    append.conversation = Some(ConversationVersion::new(1, "text"));
    let appended = store.append(&lease, &append).await;
    let what = "suspending a run whose inbox has an item";
    refused_of(what, "run", appended, StoreErrorKind::InboxNotEmpty);
    let run = loaded(&store, "run").await;
    assert_eq!(run.entries, ["zero"], "nothing is appended");
    assert_eq!(run.status, RunStatus::Open, "the status stays");
    assert!(run.held_until.is_some(), "the lease stays");
    assert_eq!(
        versions(&store, "conversation").await,
        [],
        "nothing is saved"
    );

    append.taken = place;
    let appended = store.append(&lease, &append).await;
    appended.expect("a run that takes the last item is suspended");
    assert_eq!(
        loaded(&store, "run").await.status,
        suspended,
        "it is suspended"
    );
    assert_eq!(
        loaded(&store, "run").await.entries,
        ["zero", "one"],
        "with its entry"
    );
    assert_eq!(
        versions(&store, "conversation").await.len(),
        1,
        "it is saved"
    );

    put(&store, "run", "b").await;
    let items = inbox(&store, "run", place).await;
    assert_eq!(
        items.len(),
        1,
        "an item comes after the run was suspended: {items:?}"
    );
    let lease = store
        .lease(Scope::All, &id("run"), LONG)
        .await
        .expect("nobody holds it");
    let appended = store.append(&lease, &status(suspended.clone())).await;
    refused_of(what, "run", appended, StoreErrorKind::InboxNotEmpty);
    let mut append = Append::default();
    append.taken = items[0].0;
    store
        .append(&lease, &append)
        .await
        .expect("the item is taken");
    let appended = store.append(&lease, &status(suspended.clone())).await;
    appended.expect("a run whose items were all taken before is suspended");
    // Nothing came since: it is suspended once more at the same place.
    let lease = store
        .lease(Scope::All, &id("run"), LONG)
        .await
        .expect("nobody holds it");
    let appended = store.append(&lease, &status(suspended.clone())).await;
    appended.expect("a run is suspended once more");
    let again = store.put(Scope::All, &id("run"), &item("b")).await;
    again.expect("an item is put twice");
    assert_eq!(inbox(&store, "run", items[0].0).await, [], "it counts once");
}

pub(super) async fn nothing_is_appended_to_no_run(store: Shared) {
    let lease = Lease::new(id("none"), 1, SystemTime::now().max(at(0)));
    let appended = store
        .append(&lease, &Append::new(0, texts(&["zero"])))
        .await;
    refused_of(
        "append to no run",
        "none",
        appended,
        StoreErrorKind::NotFound,
    );
}
