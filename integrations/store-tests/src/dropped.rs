//! Futures that are dropped before they are done.

use std::{future::Future, pin::pin, task::Poll};

use super::{
    case::Shared,
    fixture::{LONG, NOW, continues, created_of, id, item, loaded, new_run, texts, versions},
};
use toolwright::store::{Append, ConversationVersion, RunStatus, Scope, StoreErrorKind};

/// Polls a future so often, and drops it. Returns true if it was done before.
async fn dropped_after(polls: usize, future: impl Future) -> bool {
    let mut future = pin!(future);
    for _ in 0..polls {
        let done = std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx).is_ready()));
        if done.await {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}

/// The numbers of polls after which a future is dropped.
const POLLS: [usize; 8] = [0, 1, 1, 2, 3, 5, 20, 200];

pub(super) async fn a_dropped_append_is_whole_or_not_there(store: Shared) {
    let lease = created_of(&store, &continues("run", "talk", 0)).await;
    let mut version = 0;
    for (round, polls) in POLLS.into_iter().enumerate() {
        let first = loaded(&store, "run").await.entries.len() as u64;
        let entries = ["a", "b", "c"].map(|part| format!("dropped {round} {part}"));
        let mut append = Append::new(first, entries.into());
        append.taken = first + 3;
        append.conversation = Some(ConversationVersion::new(version + 1, "dropped"));
        let done = dropped_after(polls, store.append(&lease, &append)).await;

        // Until something else is appended, what was dropped may still be made.
        let now = loop {
            let run = loaded(&store, "run").await;
            let now = run.entries.len() as u64;
            let marker = Append::new(now, vec![format!("marker {round}")]);
            match store.append(&lease, &marker).await {
                Ok(()) => break now,
                Err(error) => assert_eq!(
                    error.kind,
                    StoreErrorKind::OutOfSequence,
                    "the driver goes on after an append that was dropped: {error}"
                ),
            }
        };
        let run = loaded(&store, "run").await;
        assert_eq!(
            run.entries.len() as u64,
            now + 1,
            "nothing comes after the next append"
        );
        assert!(
            now == first || now == first + 3,
            "{} of 3 entries are there",
            now - first
        );
        assert!(
            !done || now == first + 3,
            "an append that was done is there"
        );
        let saved = versions(&store, "talk").await.len() as u64;
        if now == first {
            assert!(
                run.taken <= first,
                "the place of the inbox without the entries"
            );
            assert_eq!(saved, version, "the conversation without the entries");
        } else {
            assert_eq!(
                run.taken,
                first + 3,
                "the place of the inbox with the entries"
            );
            assert_eq!(saved, version + 1, "the conversation with the entries");
        }
        version = saved;
    }
    let mut ends = Append::default();
    ends.status = Some(RunStatus::Finished);
    store
        .append(&lease, &ends)
        .await
        .expect("the run is finished");
    created_of(&store, &continues("next", "talk", version)).await;
}

pub(super) async fn a_dropped_beginning_is_whole_or_not_there(store: Shared) {
    for (round, polls) in POLLS.into_iter().enumerate() {
        let (run, talk) = (format!("run {round}"), format!("talk {round}"));
        let mut new = continues(&run, &talk, 0);
        new.entries = texts(&["zero", "one"]);
        let done = dropped_after(polls, store.create(&new, NOW)).await;
        // It is created now, unless it was before.
        match store.create(&new, NOW).await {
            Ok(_) => assert!(!done, "a run that was created is there"),
            Err(error) => assert!(
                matches!(
                    error.kind,
                    StoreErrorKind::Exists | StoreErrorKind::ConversationBusy
                ),
                "a run that was being created is there or not: {error}"
            ),
        }
        let mut tries = 0;
        let loaded = loop {
            match store.load(Scope::All, &id(&run), 0).await {
                Ok(loaded) => break loaded,
                Err(error) => assert_eq!(error.kind, StoreErrorKind::NotFound, "{error}"),
            }
            tries += 1;
            assert!(
                tries < 10_000,
                "a run that locks its conversation comes to be"
            );
            tokio::task::yield_now().await;
        };
        assert_eq!(
            loaded.entries,
            ["zero", "one"],
            "a run is there with all entries"
        );
        store
            .abandon(Scope::All, &id(&run))
            .await
            .expect("a run is given up");
        created_of(&store, &continues(&format!("next {round}"), &talk, 0)).await;
    }
}

pub(super) async fn what_is_dropped_holds_nobody_up(store: Shared) {
    let lease = created_of(&store, &new_run("run")).await;
    for polls in POLLS {
        dropped_after(polls, store.put(Scope::All, &id("run"), &item("a"))).await;
        dropped_after(polls, store.renew(&lease, LONG)).await;
        dropped_after(polls, store.load(Scope::All, &id("run"), 0)).await;
        dropped_after(polls, store.inbox(Scope::All, &id("run"), 0)).await;
        dropped_after(polls, store.wait_for_inbox(Scope::All, &id("run"), 99)).await;
        dropped_after(
            polls,
            store.list(Scope::All, &toolwright::store::RunFilter::default()),
        )
        .await;
    }
    let put = store.put(Scope::All, &id("run"), &item("a")).await;
    put.expect("an item is put");
    let items = store
        .inbox(Scope::All, &id("run"), 0)
        .await
        .expect("the inbox is read");
    assert_eq!(
        items.len(),
        1,
        "an item counts once, however often it was put"
    );
    let appended = store.append(&lease, &Append::new(1, texts(&["one"]))).await;
    appended.expect("the driver goes on");
    store
        .release(&lease)
        .await
        .expect("the lease is given back");
    store
        .lease(Scope::All, &id("run"), LONG)
        .await
        .expect("the run is free");
}
