//! Lists of runs.

use super::{
    case::Shared,
    fixture::{
        LONG, NOW, at, created, created_of, filter, finish, id, labels, listed, listed_in, loaded,
        new_run, status, texts,
    },
};
use toolwright::store::{Append, RunFilter, RunStatus, Scope};

/// A run of this time.
async fn created_at(store: &Shared, run: &str, seconds: u64) {
    let mut new = new_run(run);
    new.info.created = at(seconds);
    created_of(store, &new).await;
}

fn pages_of(limit: usize) -> RunFilter {
    filter(|filter| filter.limit = limit)
}

pub(super) async fn the_newest_run_is_first(store: Shared) {
    let none = store.list(Scope::All, &RunFilter::default()).await;
    let none = none.expect("a store without runs is listed");
    assert_eq!(
        (none.items.len(), none.next),
        (0, None),
        "an empty page is the last"
    );
    for (run, seconds) in [("b", 20), ("d", 40), ("a", 10), ("c", 30)] {
        created_at(&store, run, seconds).await;
    }
    assert_eq!(
        listed(&store, &RunFilter::default()).await,
        ["d", "c", "b", "a"],
        "newest first"
    );
}

pub(super) async fn filters_choose_runs(store: Shared) {
    for (seconds, run, runner, owner, its) in [
        (1, "a", "x", None, vec![]),
        (2, "b", "x", Some("ada"), vec![("k", "1")]),
        (3, "c", "y", Some("ada"), vec![("k", "1"), ("l", "2")]),
        (4, "d", "y", Some("bob"), vec![("k", "2"), ("l", "2")]),
    ] {
        let mut new = new_run(run);
        new.info.created = at(seconds);
        new.info.runner = runner.to_owned();
        new.info.owner = owner.map(str::to_owned);
        new.info.labels = labels(&its);
        created_of(&store, &new).await;
    }
    let filter = |runner: Option<&str>, owner, its: &[(&str, &str)]| {
        let filter = filter(|filter| {
            filter.runner = runner.map(str::to_owned);
            filter.labels = labels(its);
        });
        (Scope::from(owner), filter)
    };
    for ((scope, filter), expected) in [
        (filter(None, None, &[]), vec!["d", "c", "b", "a"]),
        (filter(Some("x"), None, &[]), vec!["b", "a"]),
        (filter(None, Some("ada"), &[]), vec!["c", "b"]),
        (filter(Some("y"), Some("ada"), &[]), vec!["c"]),
        (filter(None, None, &[("k", "1")]), vec!["c", "b"]),
        (filter(None, None, &[("l", "2")]), vec!["d", "c"]),
        (filter(None, None, &[("k", "1"), ("l", "2")]), vec!["c"]),
        (filter(None, Some("bob"), &[("k", "1")]), vec![]),
        (filter(None, None, &[("k", "")]), vec![]),
        (filter(Some("X"), None, &[]), vec![]),
        (filter(None, Some(""), &[]), vec![]),
    ] {
        assert_eq!(
            listed_in(&store, scope, &filter).await,
            expected,
            "the runs of {filter:?}"
        );
        let mut ones = filter;
        ones.limit = 1;
        assert_eq!(
            listed_in(&store, scope, &ones).await,
            expected,
            "one by one of {ones:?}"
        );
    }
}

pub(super) async fn status_and_lease_choose_runs(store: Shared) {
    let parked = RunStatus::Parked {
        reason: "why".to_owned(),
    };
    let suspended = RunStatus::Suspended;
    for (run, is) in [
        ("parked", parked),
        ("suspended", suspended),
        ("finished", RunStatus::Finished),
    ] {
        let lease = created(&store, run).await;
        let appended = store.append(&lease, &status(is)).await;
        appended.expect("a status is appended");
    }
    created(&store, "abandoned").await;
    store
        .abandon(Scope::All, &id("abandoned"))
        .await
        .expect("a run is given up");
    created(&store, "held").await;
    store
        .create(&new_run("left"), NOW)
        .await
        .expect("a run is created");
    let lease = created(&store, "free").await;
    store.release(&lease).await.expect("a lease is given back");

    let runs = async |unfinished, free| {
        let filter = filter(|filter| (filter.unfinished, filter.free) = (unfinished, free));
        let mut runs = listed(&store, &filter).await;
        runs.sort();
        runs
    };
    assert_eq!(runs(false, false).await.len(), 7, "all runs");
    assert_eq!(
        runs(true, false).await,
        ["free", "held", "left", "suspended"],
        "the unfinished ones"
    );
    assert_eq!(
        runs(true, true).await,
        ["free", "left", "suspended"],
        "the unfinished that are free"
    );
    let free = [
        "abandoned",
        "finished",
        "free",
        "left",
        "parked",
        "suspended",
    ];
    assert_eq!(runs(false, true).await, free, "all that nobody drives");
}

pub(super) async fn a_run_in_a_list_is_as_it_was_loaded(store: Shared) {
    let mut new = new_run("run");
    new.info.owner = Some("ada".to_owned());
    new.info.labels = labels(&[("k", "v")]);
    let lease = created_of(&store, &new).await;
    let mut append = Append::new(1, texts(&["one", "two"]));
    append.status = Some(RunStatus::Open);
    store
        .append(&lease, &append)
        .await
        .expect("the next entries are appended");
    let page = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("runs are listed");
    let (run, loaded) = (&page.items[0], loaded(&store, "run").await);
    assert_eq!(run.info, loaded.info, "the information");
    assert_eq!(run.status, loaded.status, "the status");
    assert_eq!(run.entries, 3, "the number of entries");
    assert_eq!(run.held_until, loaded.held_until, "the time of the lease");
    finish(&store, &lease).await;
    let page = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("runs are listed");
    assert_eq!(page.items[0].status, RunStatus::Finished, "the new status");
}

pub(super) async fn pages_are_the_whole_list(store: Shared) {
    for seconds in 0..5 {
        created_at(&store, &format!("run {seconds}"), seconds).await;
    }
    let all = ["run 4", "run 3", "run 2", "run 1", "run 0"];
    for (limit, expected) in [
        (0, vec![1, 1, 1, 1, 1]),
        (1, vec![1, 1, 1, 1, 1]),
        (2, vec![2, 2, 1]),
        (4, vec![4, 1]),
        (5, vec![5]),
        (6, vec![5]),
        (usize::MAX, vec![5]),
    ] {
        let (mut filter, mut sizes, mut runs) = (pages_of(limit), Vec::new(), Vec::new());
        loop {
            let page = store
                .list(Scope::All, &filter)
                .await
                .expect("runs are listed");
            sizes.push(page.items.len());
            runs.extend(
                page.items
                    .into_iter()
                    .map(|run| run.info.run_id.to_string()),
            );
            filter.after = page.next;
            if filter.after.is_none() || sizes.len() > 9 {
                break;
            }
        }
        assert_eq!(sizes, expected, "the sizes of pages of at most {limit}");
        assert_eq!(runs, all, "all runs in pages of at most {limit}");
    }
}

pub(super) async fn pages_stay_right_when_runs_come_and_go(store: Shared) {
    for seconds in [10, 20, 30, 40] {
        created_at(&store, &seconds.to_string(), seconds).await;
    }
    let first = store
        .list(Scope::All, &pages_of(2))
        .await
        .expect("runs are listed");
    let ids = |page: &toolwright::store::Page<toolwright::store::RunSummary>| {
        page.items
            .iter()
            .map(|run| run.info.run_id.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&first), ["40", "30"], "the first page");
    // A newer one, one in the middle of what comes, and the last one of this page goes.
    created_at(&store, "50", 50).await;
    created_at(&store, "15", 15).await;
    store
        .abandon(Scope::All, &id("30"))
        .await
        .expect("a run is given up");
    store
        .delete_run(Scope::All, &id("30"))
        .await
        .expect("it is deleted");
    let mut second = pages_of(2);
    second.after = first.next;
    let second = store
        .list(Scope::All, &second)
        .await
        .expect("runs are listed");
    assert_eq!(
        ids(&second),
        ["20", "15"],
        "nothing is listed twice or left out"
    );
    let mut third = pages_of(2);
    third.after = second.next;
    let third = store
        .list(Scope::All, &third)
        .await
        .expect("runs are listed");
    assert_eq!(ids(&third), ["10"], "the last page");
    assert_eq!(third.next, None, "nothing comes after it");
}

pub(super) async fn runs_of_one_time_are_listed_once(store: Shared) {
    for run in ["c", "a", "e", "b", "d"] {
        created_at(&store, run, 7).await;
    }
    for limit in [1, 2, 3, 100] {
        let mut runs = listed(&store, &pages_of(limit)).await;
        runs.sort();
        assert_eq!(runs, ["a", "b", "c", "d", "e"], "in pages of {limit}");
    }
    let lease = store.lease(Scope::All, &id("a"), LONG).await;
    lease.expect_err("the runs are held");
}
