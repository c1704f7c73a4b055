//! Leases, and the tokens that fence.

use std::time::{Duration, SystemTime};

use super::{
    case::Shared,
    fixture::{LONG, NOW, created, id, loaded, new_run, refused, refused_of, texts},
};
use toolwright::store::{Append, Lease, RunFilter, RunStatus, Scope, StoreErrorKind};

pub(super) async fn the_first_token_is_1(store: Shared) {
    assert_eq!(created(&store, "run").await.token, 1, "the first token");
    assert_eq!(created(&store, "other").await.token, 1, "that of each run");
}

pub(super) async fn tokens_grow(store: Shared) {
    let lease = store.create(&new_run("run"), NOW).await;
    let mut last = lease.expect("a run is created").token;
    for _ in 0..5 {
        let lease = store.lease(Scope::All, &id("run"), NOW).await;
        let lease = lease.expect("a lease whose time is over is free");
        assert!(lease.token > last, "{} comes after {last}", lease.token);
        last = lease.token;
    }
}

pub(super) async fn a_lease_is_held_until_its_time_is_over(store: Shared) {
    let before = SystemTime::now();
    let lease = created(&store, "run").await;
    // The clock of a store may be another one.
    let minute = Duration::from_secs(60);
    assert!(lease.until + minute > before + LONG, "it holds so long");
    let other = store.lease(Scope::All, &id("run"), LONG).await;
    let error = refused("a lease that is held", other, StoreErrorKind::Held);
    assert_eq!(error.run_id, Some(id("run")), "the error names the run");
    assert!(error.until.is_some(), "the error says until when");
    assert!(
        loaded(&store, "run").await.held_until.is_some(),
        "a run that is held says so"
    );

    let taken = store.create(&new_run("free"), NOW).await;
    taken.expect("a run is created");
    let taken = store.lease(Scope::All, &id("free"), LONG).await;
    taken.expect("a lease whose time is over is free");
    let other = store.lease(Scope::All, &id("free"), LONG).await;
    refused_of(
        "a lease that was taken",
        "free",
        other,
        StoreErrorKind::Held,
    );
}

pub(super) async fn a_lease_that_is_over_holds_until_somebody_takes_one(store: Shared) {
    let lease = store.create(&new_run("run"), NOW).await;
    let lease = lease.expect("a run is created");
    let appended = store.append(&lease, &Append::new(1, texts(&["one"]))).await;
    appended.expect("a lease whose time is over holds until somebody else takes one");
    let renewed = store.renew(&lease, LONG).await;
    let renewed = renewed.expect("it is renewed as well");
    let other = store.lease(Scope::All, &id("run"), LONG).await;
    refused_of(
        "a lease that was renewed",
        "run",
        other,
        StoreErrorKind::Held,
    );
    let appended = store
        .append(&renewed, &Append::new(2, texts(&["two"])))
        .await;
    appended.expect("a renewed lease holds");
    let released = store.release(&renewed).await;
    released.expect("it is given back as well");
    let renewed = store.renew(&renewed, LONG).await;
    refused_of(
        "the renewal of a lease that was given back",
        "run",
        renewed,
        StoreErrorKind::LeaseLost,
    );
}

/// By the clock of the store: a reader has another one, and compares nothing.
pub(super) async fn a_lease_that_is_over_is_not_shown(store: Shared) {
    let lease = store.create(&new_run("run"), NOW).await;
    let lease = lease.expect("a run is created");
    for (time, is_held) in [(NOW, false), (LONG, true), (NOW, false)] {
        let renewed = store.renew(&lease, time).await;
        renewed.expect("nobody else has taken it");
        let held = loaded(&store, "run").await.held_until;
        assert_eq!(held.is_some(), is_held, "of a run that is loaded");
        let runs = store.list(Scope::All, &RunFilter::default()).await;
        let held = runs.expect("they are listed").items[0].held_until;
        assert_eq!(held.is_some(), is_held, "of a run in a list");
    }
}

pub(super) async fn a_lease_is_renewed(store: Shared) {
    let lease = created(&store, "run").await;
    let renewed = store.renew(&lease, 2 * LONG).await;
    let renewed = renewed.expect("the newest lease is renewed");
    assert_eq!(renewed.run_id, id("run"), "it is that of the run");
    assert_eq!(renewed.token, lease.token, "it keeps its token");
    assert!(renewed.until > lease.until, "it holds longer");

    let over = store.renew(&renewed, NOW).await;
    over.expect("it may hold for less as well");
    let other = store.lease(Scope::All, &id("run"), LONG).await;
    other.expect("its time counts from the renewal");
}

pub(super) async fn a_lease_is_given_back(store: Shared) {
    let lease = created(&store, "run").await;
    let released = store.release(&lease).await;
    released.expect("the newest lease is given back");
    let held = loaded(&store, "run").await.held_until;
    assert_eq!(held, None, "nobody holds a run whose lease was given back");
    let other = store.lease(Scope::All, &id("run"), LONG).await;
    let other = other.expect("a run whose lease was given back is free");
    assert!(other.token > lease.token, "the next token is greater");
}

pub(super) async fn an_older_token_is_refused(store: Shared) {
    let old = store.create(&new_run("run"), NOW).await;
    let old = old.expect("a run is created");
    let new = store.lease(Scope::All, &id("run"), LONG).await;
    let new = new.expect("a lease whose time is over is free");

    let mut append = Append::new(1, texts(&["stale"]));
    append.taken = 7;
    append.status = Some(RunStatus::Finished);
    let stale = store.append(&old, &append).await;
    refused_of(
        "append with an older token",
        "run",
        stale,
        StoreErrorKind::LeaseLost,
    );
    let stale = store.renew(&old, 9 * LONG).await;
    refused_of(
        "renew with an older token",
        "run",
        stale,
        StoreErrorKind::LeaseLost,
    );
    let stale = store.release(&old).await;
    refused_of(
        "release with an older token",
        "run",
        stale,
        StoreErrorKind::LeaseLost,
    );

    let run = loaded(&store, "run").await;
    assert_eq!(run.entries, ["zero"], "nothing is appended");
    assert_eq!(run.status, RunStatus::Open, "the status stays");
    assert_eq!(run.taken, 0, "the place of the inbox stays");
    let held = run.held_until.expect("the newer lease is still held");
    assert!(held < new.until + LONG, "its time stays");
    let appended = store.append(&new, &Append::new(1, texts(&["one"]))).await;
    appended.expect("the newest lease appends");
    assert_eq!(
        loaded(&store, "run").await.entries,
        ["zero", "one"],
        "its entry is there"
    );
}

pub(super) async fn a_token_that_never_was_is_refused(store: Shared) {
    let lease = created(&store, "run").await;
    for token in [0, lease.token + 1, u64::MAX >> 1, u64::MAX] {
        let forged = Lease::new(id("run"), token, lease.until);
        let append = Append::new(1, texts(&["forged"]));
        let appended = store.append(&forged, &append).await;
        refused_of(
            "append with a wrong token",
            "run",
            appended,
            StoreErrorKind::LeaseLost,
        );
        let released = store.release(&forged).await;
        refused_of(
            "release with a wrong token",
            "run",
            released,
            StoreErrorKind::LeaseLost,
        );
    }
    assert_eq!(
        loaded(&store, "run").await.entries,
        ["zero"],
        "nothing is appended"
    );
}

pub(super) async fn a_very_long_time_is_a_time(store: Shared) {
    let lease = store.create(&new_run("run"), Duration::MAX).await;
    let lease = lease.expect("a lease for ever is one for very long");
    let other = store.lease(Scope::All, &id("run"), Duration::MAX).await;
    refused_of("a lease for very long", "run", other, StoreErrorKind::Held);
    let renewed = store.renew(&lease, Duration::MAX).await;
    renewed.expect("it is renewed");
}

pub(super) async fn there_is_no_lease_of_no_run(store: Shared) {
    let lease = Lease::new(id("none"), 1, SystemTime::now());
    let taken = store.lease(Scope::All, &id("none"), LONG).await;
    refused_of("lease of no run", "none", taken, StoreErrorKind::NotFound);
    let renewed = store.renew(&lease, LONG).await;
    refused_of("renew of no run", "none", renewed, StoreErrorKind::NotFound);
    let released = store.release(&lease).await;
    refused_of(
        "release of no run",
        "none",
        released,
        StoreErrorKind::NotFound,
    );
}
