//! Runs that begin.

use super::{
    case::Shared,
    fixture::{LONG, NOW, at, created, id, labels, loaded, new_run, refused_of, texts},
};
use toolwright::store::{Append, NewRun, RunInfo, RunStatus, StoreErrorKind};

pub(super) async fn a_run_is_there_as_it_was_created(store: Shared) {
    let mut info = RunInfo::new(id("run"), "a runner", at(5));
    info.owner = Some("ada".to_owned());
    info.model = Some("a model".to_owned());
    info.labels = labels(&[("kind", "chat"), ("team", "blue")]);
    let new = NewRun::new(info.clone(), texts(&["zero", "one", "two"]));
    let lease = store.create(&new, LONG).await;
    let lease = lease.expect("a run is created");
    assert_eq!(lease.run_id, id("run"), "the lease is that of the run");

    let run = loaded(&store, "run").await;
    assert_eq!(run.info, info, "the information is kept");
    assert_eq!(run.entries, ["zero", "one", "two"], "the entries are kept");
    assert_eq!(run.status, RunStatus::Open, "a new run is open");
    assert_eq!(run.taken, 0, "nothing of the inbox is taken at first");
    assert!(run.held_until.is_some(), "whoever creates a run holds it");
}

pub(super) async fn an_id_is_taken_once(store: Shared) {
    let lease = created(&store, "run").await;
    let mut other = new_run("run");
    "another".clone_into(&mut other.info.runner);
    other.entries = texts(&["another"]);
    let again = store.create(&other, LONG).await;
    refused_of(
        "a second run of an id",
        "run",
        again,
        StoreErrorKind::Exists,
    );

    let run = loaded(&store, "run").await;
    assert_eq!(run.info, new_run("run").info, "the first run stays");
    assert_eq!(run.entries, ["zero"], "the first run keeps its log");
    let appended = store.append(&lease, &Append::new(1, texts(&["one"]))).await;
    appended.expect("the first run keeps its driver");
}

pub(super) async fn a_run_may_begin_without_entries(store: Shared) {
    let new = NewRun::new(new_run("run").info, Vec::new());
    let lease = store.create(&new, NOW).await;
    let lease = lease.expect("a run without entries is created");
    assert_eq!(loaded(&store, "run").await.entries, [""; 0], "no entries");
    let appended = store
        .append(&lease, &Append::new(0, texts(&["zero"])))
        .await;
    appended.expect("its first entry is entry 0");
    assert_eq!(loaded(&store, "run").await.entries, ["zero"], "one entry");
}
