//! The inbox of a run.

use std::time::{Duration, Instant};

use super::{
    case::Shared,
    fixture::{LONG, created, finish, id, inbox, item, loaded, put, refused_of, status},
};
use toolwright::{
    message::UserMessage,
    run::Resolution,
    store::{Append, InboxContent, InboxItem, RunStatus, Scope, StoreErrorKind},
};

/// The ids of the items of an inbox, whose places grow.
async fn ids(store: &Shared, run: &str, after: u64) -> Vec<String> {
    let items = inbox(store, run, after).await;
    let mut last = after;
    for (place, id) in &items {
        assert!(*place > last, "item {id} has place {place}, after {last}");
        last = *place;
    }
    items.into_iter().map(|(_, id)| id).collect()
}

pub(super) async fn items_come_in_order(store: Shared) {
    created(&store, "run").await;
    created(&store, "other").await;
    assert_eq!(inbox(&store, "run", 0).await, [], "a new inbox is empty");
    for id in ["c", "a", "d", "b"] {
        put(&store, "other", id).await;
        put(&store, "run", id).await;
    }
    let items = inbox(&store, "run", 0).await;
    assert_eq!(items[0].0, 1, "places begin at 1");
    assert_eq!(
        ids(&store, "run", 0).await,
        ["c", "a", "d", "b"],
        "in the order in which they came"
    );
    assert_eq!(
        ids(&store, "other", 0).await,
        ["c", "a", "d", "b"],
        "each inbox has its own"
    );
    for (index, (place, _)) in items.iter().enumerate() {
        let rest = inbox(&store, "run", *place).await;
        assert_eq!(rest, items[index + 1..], "the items after place {place}");
    }
    assert_eq!(
        inbox(&store, "run", u64::MAX).await,
        [],
        "nothing is after the last place"
    );
}

pub(super) async fn every_content_is_kept(store: Shared) {
    created(&store, "run").await;
    let decision: Resolution = serde_json::from_value(serde_json::json!({
        "run_id": "run",
        "id": {"round": 1, "index": 2},
        "name": "delete_file",
        "arguments": "{\"path\": \"\u{0}\"}",
        "resolved": {"type": "decision", "content": {"type": "approve"}},
    }))
    .expect("this is a decision");
    let message = InboxContent::Message(UserMessage::from("Hurry,\n\"please\"."));
    let contents = [
        InboxContent::Cancel,
        InboxContent::CancelAfterRound,
        InboxContent::Resolution(decision),
        message,
    ];
    let items: Vec<_> = contents.into_iter().map(InboxItem::new).collect();
    for item in &items {
        let put = store.put(Scope::All, &id("run"), item).await;
        put.expect("an item is put into an inbox");
    }
    let received = store
        .inbox(Scope::All, &id("run"), 0)
        .await
        .expect("the inbox is read");
    let received: Vec<_> = received.into_iter().map(|received| received.item).collect();
    assert_eq!(received, items, "the items as they were put");
}

pub(super) async fn an_item_is_put_once(store: Shared) {
    created(&store, "run").await;
    put(&store, "run", "a").await;
    put(&store, "run", "b").await;
    for _ in 0..3 {
        put(&store, "run", "a").await;
    }
    let other = InboxItem::with_id("b", InboxContent::CancelAfterRound);
    let refused = store.put(Scope::All, &id("run"), &other).await;
    let what = "put of another content under a known id";
    refused_of(what, "run", refused, StoreErrorKind::Exists);
    put(&store, "run", "c").await;
    assert_eq!(
        ids(&store, "run", 0).await,
        ["a", "b", "c"],
        "each counts once"
    );
    let received = store
        .inbox(Scope::All, &id("run"), 0)
        .await
        .expect("the inbox is read");
    assert_eq!(received[1].item, item("b"), "the first of an id stays");
    created(&store, "other").await;
    put(&store, "other", "a").await;
    assert_eq!(
        ids(&store, "other", 0).await,
        ["a"],
        "an id counts once in each run"
    );
}

pub(super) async fn an_item_that_was_taken_is_not_put_again(store: Shared) {
    let lease = created(&store, "run").await;
    put(&store, "run", "a").await;
    put(&store, "run", "b").await;
    let taken = inbox(&store, "run", 0).await[1].0;
    let mut append = Append::default();
    append.taken = taken;
    store
        .append(&lease, &append)
        .await
        .expect("items are taken");
    assert_eq!(loaded(&store, "run").await.taken, taken, "they are taken");
    put(&store, "run", "a").await;
    put(&store, "run", "b").await;
    let other = InboxItem::with_id("b", InboxContent::CancelAfterRound);
    let refused = store.put(Scope::All, &id("run"), &other).await;
    let what = "put of another content under the id of a taken item";
    refused_of(what, "run", refused, StoreErrorKind::Exists);
    assert_eq!(ids(&store, "run", taken).await, [""; 0], "nothing new came");
    put(&store, "run", "c").await;
    assert_eq!(
        ids(&store, "run", taken).await,
        ["c"],
        "the next comes after them"
    );
}

pub(super) async fn nothing_is_put_for_a_run_that_is_over(store: Shared) {
    for (run, is) in [
        ("suspended", RunStatus::Suspended),
        (
            "parked",
            RunStatus::Parked {
                reason: "why".to_owned(),
            },
        ),
    ] {
        let lease = created(&store, run).await;
        store
            .append(&lease, &status(is))
            .await
            .expect("a status is appended");
        put(&store, run, "a").await;
        assert_eq!(ids(&store, run, 0).await, ["a"], "for a run that is {run}");
    }
    let lease = created(&store, "finished").await;
    put(&store, "finished", "a").await;
    finish(&store, &lease).await;
    created(&store, "abandoned").await;
    put(&store, "abandoned", "a").await;
    store
        .abandon(Scope::All, &id("abandoned"))
        .await
        .expect("a run is given up");
    for run in ["finished", "abandoned"] {
        let late = store.put(Scope::All, &id(run), &item("b")).await;
        refused_of(
            "put for a run that is over",
            run,
            late,
            StoreErrorKind::RunIsOver,
        );
        assert_eq!(
            ids(&store, run, 0).await,
            ["a"],
            "the inbox of a run that is {run}"
        );
    }
}

pub(super) async fn there_is_no_inbox_of_no_run(store: Shared) {
    let put = store.put(Scope::All, &id("none"), &item("a")).await;
    refused_of("put for no run", "none", put, StoreErrorKind::NotFound);
    let items = store.inbox(Scope::All, &id("none"), 0).await;
    refused_of("inbox of no run", "none", items, StoreErrorKind::NotFound);
}

/// The time in which a wait ends.
const SOON: Duration = Duration::from_secs(10);

/// Waits until there is an item after this place.
async fn wait(store: &Shared, run: &str, after: u64) {
    let until_there = async {
        while inbox(store, run, after).await.is_empty() {
            let waited = store.wait_for_inbox(Scope::All, &id(run), after).await;
            waited.expect("the inbox of a run is waited for");
        }
    };
    let begun = Instant::now();
    let waited = tokio::time::timeout(SOON, until_there).await;
    // The end of the time wakes it as well.
    let is_soon = waited.is_ok() && begun.elapsed() < SOON;
    assert!(is_soon, "a wait for the inbox ends when an item comes");
}

pub(super) async fn a_wait_ends_when_an_item_comes(store: Shared) {
    created(&store, "run").await;
    let mut after = 0;
    for id in ["a", "b", "c"] {
        let waits = store.clone();
        let waiting = tokio::spawn(async move { wait(&waits, "run", after).await });
        let dropped = store.clone();
        let dropped = tokio::spawn(async move { wait(&dropped, "run", after).await });
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        dropped.abort();
        put(&store, "run", id).await;
        waiting.await.expect("a wait ends without a panic");
        after = inbox(&store, "run", after).await[0].0;
    }
}

pub(super) async fn a_wait_ends_when_an_item_is_there(store: Shared) {
    let lease = created(&store, "run").await;
    put(&store, "run", "a").await;
    let waited = tokio::time::timeout(
        LONG.min(SOON),
        store.wait_for_inbox(Scope::All, &id("run"), 0),
    )
    .await;
    let waited = waited.expect("a wait for an item that is there ends");
    waited.expect("the inbox of a run is waited for");
    finish(&store, &lease).await;
}

pub(super) async fn a_wait_ends_with_the_run(store: Shared) {
    for run in ["finished", "abandoned"] {
        let lease = created(&store, run).await;
        let waits = store.clone();
        let waiting = tokio::spawn(tokio::time::timeout(SOON, async move {
            // Some stores wait for a while, whatever comes.
            while waits.wait_for_inbox(Scope::All, &id(run), 0).await.is_ok() {
                if loaded(&waits, run).await.status.is_over() {
                    return;
                }
            }
        }));
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        if run == "finished" {
            finish(&store, &lease).await;
        } else {
            store
                .abandon(Scope::All, &id(run))
                .await
                .expect("a run is given up");
        }
        let waited = waiting.await.expect("a wait ends without a panic");
        assert!(waited.is_ok(), "a wait ends when the run is {run}");
    }
}
