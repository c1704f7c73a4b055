//! Runs that end, are given up and are deleted.

use super::{
    case::Shared,
    fixture::{
        LONG, continues, created, created_of, finish, id, listed, loaded, new_run, put, refused_as,
        refused_of, status, texts, versions,
    },
};
use toolwright::store::{Append, ConversationVersion, RunFilter, RunStatus, Scope, StoreErrorKind};

pub(super) async fn a_run_that_is_over_stays_as_it_is(store: Shared) {
    let lease = created(&store, "run").await;
    finish(&store, &lease).await;
    let appended = store
        .append(&lease, &Append::new(1, texts(&["late"])))
        .await;
    refused_of(
        "append to a run that is over",
        "run",
        appended,
        StoreErrorKind::RunIsOver,
    );
    let appended = store.append(&lease, &status(RunStatus::Open)).await;
    refused_of(
        "opening a run that is over",
        "run",
        appended,
        StoreErrorKind::RunIsOver,
    );
    let other = store.lease(Scope::All, &id("run"), LONG).await;
    refused_of(
        "the lease of a run that is over",
        "run",
        other,
        StoreErrorKind::RunIsOver,
    );
    let abandoned = store.abandon(Scope::All, &id("run")).await;
    refused_of(
        "giving up a run that is over",
        "run",
        abandoned,
        StoreErrorKind::RunIsOver,
    );
    let run = loaded(&store, "run").await;
    assert_eq!(
        (run.status, run.entries.len()),
        (RunStatus::Finished, 1),
        "it stays"
    );
}

pub(super) async fn giving_a_run_up_stops_its_driver(store: Shared) {
    let lease = created_of(&store, &continues("run", "talk", 0)).await;
    store
        .abandon(Scope::All, &id("run"))
        .await
        .expect("anybody gives a run up");
    // The driver hears that the run is over, or that its lease is lost.
    let kinds = [StoreErrorKind::RunIsOver, StoreErrorKind::LeaseLost];
    let mut append = Append::new(1, texts(&["late"]));
    append.status = Some(RunStatus::Finished);
    append.conversation = Some(ConversationVersion::new(1, "late"));
    let appended = store.append(&lease, &append).await;
    refused_as("append to a run that was given up", appended, &kinds);
    let renewed = store.renew(&lease, LONG).await;
    refused_as("the renewal of the lease of such a run", renewed, &kinds);
    let other = store.lease(Scope::All, &id("run"), LONG).await;
    refused_of(
        "the lease of such a run",
        "run",
        other,
        StoreErrorKind::RunIsOver,
    );
    let run = loaded(&store, "run").await;
    assert_eq!(run.status, RunStatus::Abandoned, "it is abandoned");
    assert_eq!(run.entries, ["zero"], "nothing is appended");
    assert_eq!(run.held_until, None, "nobody holds it");
    assert_eq!(versions(&store, "talk").await, [], "nothing is saved");
}

pub(super) async fn a_run_is_given_up_once(store: Shared) {
    let none = store.abandon(Scope::All, &id("none")).await;
    refused_of("giving up no run", "none", none, StoreErrorKind::NotFound);
    created(&store, "run").await;
    store
        .abandon(Scope::All, &id("run"))
        .await
        .expect("a run is given up");
    let again = store.abandon(Scope::All, &id("run")).await;
    refused_of(
        "giving it up again",
        "run",
        again,
        StoreErrorKind::RunIsOver,
    );
}

pub(super) async fn a_parked_run_is_given_up(store: Shared) {
    let parked = RunStatus::Parked {
        reason: "why".to_owned(),
    };
    let suspended = RunStatus::Suspended;
    for (run, is) in [("suspended", suspended), ("parked", parked)] {
        let lease = created(&store, run).await;
        store
            .append(&lease, &status(is))
            .await
            .expect("a status is appended");
        store
            .abandon(Scope::All, &id(run))
            .await
            .expect("a run that is not over is given up");
        assert_eq!(
            loaded(&store, run).await.status,
            RunStatus::Abandoned,
            "the {run} run"
        );
    }
}

pub(super) async fn only_a_run_that_is_over_is_deleted(store: Shared) {
    let none = store.delete_run(Scope::All, &id("none")).await;
    refused_of("deleting no run", "none", none, StoreErrorKind::NotFound);
    let parked = RunStatus::Parked {
        reason: "why".to_owned(),
    };
    let suspended = RunStatus::Suspended;
    for (run, is) in [
        ("open", RunStatus::Open),
        ("suspended", suspended),
        ("parked", parked),
    ] {
        let lease = created(&store, run).await;
        store
            .append(&lease, &status(is))
            .await
            .expect("a status is appended");
        let deleted = store.delete_run(Scope::All, &id(run)).await;
        refused_of(
            "deleting a run that is not over",
            run,
            deleted,
            StoreErrorKind::InUse,
        );
        assert_eq!(loaded(&store, run).await.entries, ["zero"], "it stays");
    }
}

pub(super) async fn a_deleted_run_is_gone(store: Shared) {
    let mut new = continues("run", "talk", 0);
    new.info.owner = Some("ada".to_owned());
    let lease = created_of(&store, &new).await;
    put(&store, "run", "a").await;
    let mut append = status(RunStatus::Finished);
    append.conversation = Some(ConversationVersion::new(1, "one"));
    append.taken = 1;
    store
        .append(&lease, &append)
        .await
        .expect("the run is finished");
    created(&store, "abandoned").await;
    store
        .abandon(Scope::All, &id("abandoned"))
        .await
        .expect("a run is given up");
    created(&store, "other").await;

    for run in ["run", "abandoned"] {
        store
            .delete_run(Scope::All, &id(run))
            .await
            .expect("a run that is over is deleted");
        let kind = StoreErrorKind::NotFound;
        refused_of(
            "its log",
            run,
            store.load(Scope::All, &id(run), 0).await,
            kind,
        );
        refused_of(
            "its inbox",
            run,
            store.inbox(Scope::All, &id(run), 0).await,
            kind,
        );
        refused_of(
            "its lease",
            run,
            store.lease(Scope::All, &id(run), LONG).await,
            kind,
        );
        refused_of(
            "deleting it again",
            run,
            store.delete_run(Scope::All, &id(run)).await,
            kind,
        );
    }
    assert_eq!(
        listed(&store, &RunFilter::default()).await,
        ["other"],
        "it is not listed"
    );
    assert_eq!(
        versions(&store, "talk").await.len(),
        1,
        "its conversation stays"
    );

    created_of(&store, &new_run("run")).await;
    let run = loaded(&store, "run").await;
    assert_eq!(run.info.owner, None, "a run of its id is another one");
    assert_eq!(
        (run.entries.len(), run.taken),
        (1, 0),
        "with a log of its own"
    );
    put(&store, "run", "a").await;
    let items = super::fixture::inbox(&store, "run", 0).await;
    assert_eq!(items.len(), 1, "and an inbox of its own");
}
