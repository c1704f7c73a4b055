//! Logs that are loaded.

use super::{
    case::Shared,
    fixture::{created, created_of, id, new_run, refused_of, texts},
};
use toolwright::store::{Append, Scope, StoreErrorKind};

pub(super) async fn a_log_is_loaded_from_a_place(store: Shared) {
    let mut new = new_run("run");
    new.entries = texts(&["zero", "one"]);
    let lease = created_of(&store, &new).await;
    let mut append = Append::new(2, texts(&["two", "three"]));
    append.taken = 4;
    store
        .append(&lease, &append)
        .await
        .expect("the next entries are appended");
    let all = ["zero", "one", "two", "three"];
    for from in [0, 1, 2, 3, 4, 5, 1000, u64::MAX] {
        let run = store.load(Scope::All, &id("run"), from).await;
        let run = run.expect("a run is loaded from any place on");
        let rest = all.get(usize::try_from(from).unwrap_or(usize::MAX)..);
        assert_eq!(
            run.entries,
            rest.unwrap_or_default(),
            "from entry {from} on"
        );
        assert_eq!(
            run.info, new.info,
            "the information is there from any place on"
        );
        assert_eq!(
            run.taken, 4,
            "the place of the inbox is there from any place on"
        );
        assert!(
            run.held_until.is_some(),
            "the lease is there from any place on"
        );
    }
}

pub(super) async fn there_is_nothing_of_no_run(store: Shared) {
    let run = store.load(Scope::All, &id("none"), 0).await;
    refused_of("load of no run", "none", run, StoreErrorKind::NotFound);
    created(&store, "one").await;
    for other in ["on", "ones", "ONE", ""] {
        let run = store.load(Scope::All, &id(other), 0).await;
        refused_of("load of no run", other, run, StoreErrorKind::NotFound);
    }
}

pub(super) async fn a_long_log_is_whole(store: Shared) {
    let entry = |place: u64| format!("{{\"entry\":{place},\"text\":\"{}\"}}", "x".repeat(200));
    let mut new = new_run("run");
    new.entries = vec![entry(0)];
    let lease = created_of(&store, &new).await;
    let mut next = 1;
    // Appends of many sizes, 1,000 entries in all.
    while next < 1000 {
        let end = (next + 1 + next % 61).min(1000);
        let mut append = Append::new(next, (next..end).map(entry).collect());
        append.synced = false;
        store
            .append(&lease, &append)
            .await
            .expect("the next entries are appended");
        next = end;
    }
    for from in [0, 500, 999, 1000] {
        let run = store
            .load(Scope::All, &id("run"), from)
            .await
            .expect("the run is loaded");
        let expected: Vec<_> = (from..1000).map(entry).collect();
        assert!(
            run.entries == expected,
            "the entries from {from} on are in order"
        );
    }
}
