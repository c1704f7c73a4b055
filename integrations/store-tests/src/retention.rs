//! What is deleted by its age.

use std::time::{Duration, SystemTime};

use super::{
    case::Shared,
    fixture::{
        at, continues, created, created_of, finish, id, labels, later, listed, loaded, new_run,
        refused, save, status, texts, versions,
    },
};
use toolwright::store::{
    Append, ConversationId, ConversationVersion, Deleted, NewRun, RunFilter, RunStatus, RunSummary,
    Scope, StoreErrorKind,
};

/// A time after all that a case does, by any clock.
fn far() -> SystemTime {
    SystemTime::now() + Duration::from_secs(24 * 60 * 60)
}

async fn summary(store: &Shared, run: &str) -> RunSummary {
    let page = store.list(Scope::All, &RunFilter::default()).await;
    let items = page.expect("runs are listed").items;
    let mut items = items.into_iter();
    let found = items.find(|it| it.info.run_id == id(run));
    found.expect("the run is listed")
}

/// When a run was over, by the clock of the store.
async fn ended(store: &Shared, run: &str) -> SystemTime {
    let ended = summary(store, run).await.ended;
    ended.unwrap_or_else(|| panic!("run {run} is over: a list says since when"))
}

async fn delete_before(store: &Shared, time: SystemTime) -> Deleted {
    let deleted = store.delete_before(time).await;
    deleted.expect("what is old is deleted")
}

async fn sorted(store: &Shared) -> Vec<String> {
    let mut runs = listed(store, &RunFilter::default()).await;
    runs.sort();
    runs
}

/// A run of each kind that is not over.
async fn unfinished(store: &Shared) {
    created(store, "open").await;
    let suspended = RunStatus::Suspended;
    let parked = RunStatus::Parked {
        reason: "why".to_owned(),
    };
    for (run, is) in [("suspended", suspended), ("parked", parked)] {
        let lease = created(store, run).await;
        let appended = store.append(&lease, &status(is)).await;
        appended.expect("a status is appended");
    }
}

pub(super) async fn the_end_of_a_run_has_a_time(store: Shared) {
    unfinished(&store).await;
    for run in ["open", "suspended", "parked"] {
        let ended = summary(&store, run).await.ended;
        assert_eq!(ended, None, "the run that is {run} is not over");
    }
    let lease = created(&store, "finished").await;
    finish(&store, &lease).await;
    later().await;
    store
        .abandon(Scope::All, &id("parked"))
        .await
        .expect("a run is given up");
    let (finished, abandoned) = (
        ended(&store, "finished").await,
        ended(&store, "parked").await,
    );
    assert!(
        finished < abandoned,
        "each has the time of its own end: {finished:?}, {abandoned:?}"
    );
    assert!(
        finished > at(0) && abandoned < far(),
        "the time is that of the end, not of the beginning"
    );
}

pub(super) async fn runs_that_ended_before_a_time_are_deleted(store: Shared) {
    unfinished(&store).await;
    assert_eq!(
        delete_before(&store, far()).await,
        Deleted::default(),
        "no run is over"
    );
    // They began in another order than they ended.
    let leases = [created(&store, "new").await, created(&store, "old").await];
    finish(&store, &leases[1]).await;
    created(&store, "abandoned").await;
    later().await;
    store
        .abandon(Scope::All, &id("abandoned"))
        .await
        .expect("a run is given up");
    later().await;
    finish(&store, &leases[0]).await;

    let time = ended(&store, "abandoned").await;
    assert_eq!(
        delete_before(&store, time).await,
        Deleted::new(1, 0),
        "one ended before the other was given up"
    );
    assert_eq!(
        sorted(&store).await,
        ["abandoned", "new", "open", "parked", "suspended"],
        "what ended at the time or later stays"
    );
    let time = ended(&store, "new").await;
    assert_eq!(delete_before(&store, time).await, Deleted::new(1, 0));
    assert_eq!(delete_before(&store, far()).await, Deleted::new(1, 0));
    assert_eq!(
        sorted(&store).await,
        ["open", "parked", "suspended"],
        "what is not over stays"
    );
    assert_eq!(loaded(&store, "parked").await.entries, ["zero"]);
}

pub(super) async fn conversations_of_before_a_time_are_deleted(store: Shared) {
    for (talk, version) in [("old", 1), ("changed", 1), ("new", 1), ("changed", 2)] {
        save(&store, talk, version, "text").await;
        later().await;
    }
    let page = store.conversations(Scope::All, None, 10).await;
    let items = page.expect("conversations are listed").items;
    let new = items.iter().find(|it| it.id == ConversationId::new("new"));
    let time = new.expect("it is listed").saved;
    assert_eq!(
        delete_before(&store, time).await,
        Deleted::new(0, 1),
        "one was saved last before the time"
    );
    assert_eq!(versions(&store, "old").await, [], "it is gone");
    assert_eq!(
        versions(&store, "changed").await.len(),
        2,
        "one that was saved since is whole"
    );
    assert_eq!(versions(&store, "new").await.len(), 1, "at the time");
    assert_eq!(delete_before(&store, far()).await, Deleted::new(0, 2));
}

pub(super) async fn what_a_run_needs_is_not_deleted(store: Shared) {
    for talk in ["open", "parked", "over", "nobody"] {
        save(&store, talk, 1, "text").await;
    }
    created_of(&store, &continues("a", "open", 1)).await;
    let lease = created_of(&store, &continues("b", "parked", 1)).await;
    let parked = RunStatus::Parked {
        reason: "why".to_owned(),
    };
    let appended = store.append(&lease, &status(parked)).await;
    appended.expect("a status is appended");
    let lease = created_of(&store, &continues("c", "over", 1)).await;
    finish(&store, &lease).await;
    // One that is not there yet.
    created_of(&store, &continues("d", "first", 0)).await;
    assert_eq!(
        delete_before(&store, far()).await,
        Deleted::new(1, 2),
        "the run that is over, its conversation, and that of nobody"
    );
    for talk in ["open", "parked"] {
        let kept = versions(&store, talk).await;
        assert_eq!(kept.len(), 1, "the conversation of a run that is {talk}");
    }
    for run in ["a", "b", "d"] {
        store
            .abandon(Scope::All, &id(run))
            .await
            .expect("a run is given up");
    }
    assert_eq!(delete_before(&store, far()).await, Deleted::new(3, 2));
}

/// A run of a sub-agent, below the run at the top by the call of this one.
fn below(run: &str, parent: &str) -> NewRun {
    let mut new = new_run(run);
    new.info.labels = labels(&[
        ("toolwright.parent", parent),
        ("toolwright.call", "0.0"),
        ("toolwright.root", "top"),
    ]);
    new
}

pub(super) async fn what_is_below_a_run_that_is_not_over_is_not_deleted(store: Shared) {
    let top = created(&store, "top").await;
    for (run, parent) in [("child", "top"), ("grandchild", "child")] {
        let lease = created_of(&store, &below(run, parent)).await;
        finish(&store, &lease).await;
    }
    assert_eq!(delete_before(&store, far()).await, Deleted::new(0, 0));
    finish(&store, &top).await;
    assert_eq!(delete_before(&store, far()).await, Deleted::new(3, 0));
}

pub(super) async fn a_run_is_deleted_with_those_below_it(store: Shared) {
    let top = created(&store, "top").await;
    let other = created(&store, "other").await;
    finish(&store, &other).await;
    let child = created_of(&store, &below("child", "top")).await;
    // Nobody has ended it.
    created_of(&store, &below("grandchild", "child")).await;
    let beside = created_of(&store, &below("beside", "top")).await;
    finish(&store, &beside).await;
    let deleted = store.delete_with_below(Scope::All, &id("top")).await;
    refused("a run that is not over", deleted, StoreErrorKind::InUse);
    assert_eq!(sorted(&store).await.len(), 5);
    finish(&store, &child).await;
    let deleted = store.delete_with_below(Scope::All, &id("child")).await;
    deleted.expect("one in the middle goes with those below it");
    assert_eq!(sorted(&store).await, ["beside", "other", "top"]);
    finish(&store, &top).await;
    let deleted = store.delete_with_below(Scope::All, &id("top")).await;
    deleted.expect("a run that is over");
    assert_eq!(sorted(&store).await, ["other"]);
    let gone = store.delete_with_below(Scope::All, &id("top")).await;
    refused("a run that is gone", gone, StoreErrorKind::NotFound);
}

pub(super) async fn a_run_is_there_without_its_conversation(store: Shared) {
    let lease = created_of(&store, &continues("run", "talk", 0)).await;
    let mut append = Append::new(1, texts(&["one"]));
    append.conversation = Some(ConversationVersion::new(1, "text"));
    let appended = store.append(&lease, &append).await;
    appended.expect("a run saves its conversation");
    later().await;
    finish(&store, &lease).await;
    let time = ended(&store, "run").await;
    assert_eq!(delete_before(&store, time).await, Deleted::new(0, 1));
    let run = loaded(&store, "run").await;
    assert_eq!(run.entries, ["zero", "one"], "the log of the run stays");
    assert_eq!(run.status, RunStatus::Finished);
    store
        .delete_run(Scope::All, &id("run"))
        .await
        .expect("a run is deleted without its conversation");
}

pub(super) async fn all_pages_are_deleted(store: Shared) {
    const COUNT: u64 = 120;
    let mut over = status(RunStatus::Finished);
    over.synced = false;
    for number in 0..COUNT {
        let mut new = new_run(&format!("run {number}"));
        new.info.created = at(number / 3);
        let lease = created_of(&store, &new).await;
        if number % 10 != 0 {
            let finished = store.append(&lease, &over).await;
            finished.expect("a driver finishes its run");
        }
    }
    let kept = COUNT / 10;
    assert_eq!(
        delete_before(&store, far()).await,
        Deleted::new(COUNT - kept, 0)
    );
    let left = listed(&store, &RunFilter::default()).await;
    assert_eq!(left.len() as u64, kept, "those that are not over stay");
}
