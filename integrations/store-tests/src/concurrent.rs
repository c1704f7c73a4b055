//! Many tasks at once.

use std::{collections::BTreeSet, future::Future, time::Duration};

use futures_util::future::join;

use super::{
    case::Shared,
    fixture::{LONG, NOW, created, id, inbox, item, loaded, new_run, refused_of},
};
use toolwright::store::{Append, Scope, StoreErrorKind};

/// The number of tasks at once.
const TASKS: usize = 8;

/// The number of entries that each task appends.
const ENTRIES: usize = 3;

/// Runs a task so often at once, and gives what they give.
async fn at_once<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    task: impl Fn(usize) -> F,
) -> Vec<T> {
    let tasks: Vec<_> = (0..TASKS)
        .map(|number| tokio::spawn(task(number)))
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        match task.await {
            Ok(value) => all.push(value),
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }
    all
}

/// Appends entries under leases of this time, each of which it takes first; gives those that were appended and those
/// of which the store does not know.
async fn drive(store: Shared, task: usize, time: Duration) -> (Vec<String>, Vec<String>) {
    let (mut appended, mut unknown) = (Vec::new(), Vec::new());
    let mut attempt = 0;
    while appended.len() < ENTRIES {
        attempt += 1;
        assert!(attempt < 100_000, "task {task} gets its turn");
        let lease = match store.lease(Scope::All, &id("run"), time).await {
            Ok(lease) => lease,
            Err(error) => {
                let kinds = [StoreErrorKind::Held, StoreErrorKind::Unavailable];
                assert!(
                    kinds.contains(&error.kind),
                    "a lease is free or held: {error}"
                );
                tokio::task::yield_now().await;
                continue;
            }
        };
        let next = loaded(&store, "run").await.entries.len() as u64;
        let entries = ["a", "b"].map(|part| format!("{task} {attempt} {part}"));
        match store
            .append(&lease, &Append::new(next, entries.to_vec()))
            .await
        {
            Ok(()) => appended.push(format!("{task} {attempt}")),
            Err(error) => match error.kind {
                StoreErrorKind::LeaseLost | StoreErrorKind::OutOfSequence => {}
                StoreErrorKind::Unavailable => unknown.push(format!("{task} {attempt}")),
                kind => panic!("an append is made or refused: {kind:?}: {error}"),
            },
        }
        // Others may have it since.
        drop(store.release(&lease).await);
    }
    (appended, unknown)
}

async fn drivers(store: Shared, time: Duration) {
    let lease = created(&store, "run").await;
    store
        .release(&lease)
        .await
        .expect("the lease is given back");
    let drivers = store.clone();
    let driven = at_once(move |task| drive(drivers.clone(), task, time)).await;
    let entries = loaded(&store, "run").await.entries;
    let mut there = Vec::new();
    for two in entries[1..].chunks(2) {
        let (a, b) = (
            two[0].strip_suffix(" a"),
            two.get(1).and_then(|b| b.strip_suffix(" b")),
        );
        assert!(
            a.is_some() && a == b,
            "entries of one append stand together: {two:?}"
        );
        there.extend(a);
    }
    let once: BTreeSet<_> = there.iter().copied().collect();
    assert_eq!(
        once.len(),
        there.len(),
        "no entry is there twice: {there:?}"
    );
    for (appended, _) in &driven {
        for entry in appended {
            assert!(
                once.contains(&**entry),
                "entry {entry} was appended and is lost"
            );
        }
        let of_task = there
            .iter()
            .filter(|there| appended.iter().any(|it| it == *there));
        let in_order: Vec<_> = of_task.collect();
        assert!(
            in_order.iter().zip(appended).all(|(a, b)| **a == b),
            "in the order of a task"
        );
    }
    let known: BTreeSet<_> = driven
        .iter()
        .flat_map(|(appended, unknown)| appended.iter().chain(unknown))
        .collect();
    for entry in there {
        assert!(
            known.iter().any(|it| *it == entry),
            "entry {entry} was refused and is there"
        );
    }
}

pub(super) async fn drivers_that_take_leases_from_each_other(store: Shared) {
    drivers(store, NOW).await;
}

pub(super) async fn drivers_that_wait_for_each_other(store: Shared) {
    drivers(store, LONG).await;
}

/// A store may write several changes at once, but not refuse them at once.
pub(super) async fn appends_at_once_have_errors_of_their_own(store: Shared) {
    let drivers = store.clone();
    at_once(move |task| {
        let (store, run) = (drivers.clone(), format!("run {task}"));
        async move {
            let lease = created(&store, &run).await;
            for place in 1..=ENTRIES {
                let first = place as u64;
                let again = Append::new(first - 1, vec!["again".to_owned()]);
                let next = Append::new(first, vec![place.to_string()]);
                let (again, next) =
                    join(store.append(&lease, &again), store.append(&lease, &next)).await;
                refused_of(
                    "a place that is taken",
                    &run,
                    again,
                    StoreErrorKind::OutOfSequence,
                );
                next.expect("the next entry is appended");
            }
            let entries = loaded(&store, &run).await.entries;
            let expected: Vec<_> = (1..=ENTRIES).map(|place| place.to_string()).collect();
            assert_eq!(entries[1..], expected, "each entry is there once");
        }
    })
    .await;
}

pub(super) async fn items_from_everywhere_come_once(store: Shared) {
    created(&store, "run").await;
    let putters = store.clone();
    at_once(move |task| {
        let store = putters.clone();
        async move {
            for number in 0..ENTRIES {
                for it in [format!("{number}"), format!("{task} {number}")] {
                    let put = store.put(Scope::All, &id("run"), &item(&it)).await;
                    put.expect("an item is put");
                }
            }
        }
    })
    .await;
    let items = inbox(&store, "run", 0).await;
    let places: BTreeSet<_> = items.iter().map(|(place, _)| *place).collect();
    assert_eq!(
        places.len(),
        items.len(),
        "each item has a place of its own"
    );
    let ids: BTreeSet<_> = items.iter().map(|(_, id)| id).collect();
    assert_eq!(ids.len(), items.len(), "no item is there twice");
    assert_eq!(items.len(), ENTRIES + TASKS * ENTRIES, "no item is lost");
    for task in 0..TASKS {
        let prefix = format!("{task} ");
        let of_task: Vec<_> = items
            .iter()
            .filter(|(_, id)| id.starts_with(&prefix))
            .collect();
        assert!(
            of_task.is_sorted_by_key(|(_, id)| id),
            "in the order of a task: {of_task:?}"
        );
    }
}

pub(super) async fn one_of_many_takes_the_lease(store: Shared) {
    let lease = created(&store, "run").await;
    store
        .release(&lease)
        .await
        .expect("the lease is given back");
    let takers = store.clone();
    let leases = at_once(move |_| {
        let store = takers.clone();
        async move { store.lease(Scope::All, &id("run"), LONG).await }
    })
    .await;
    let refused = leases.iter().filter_map(|lease| lease.as_ref().err());
    let refused: Vec<_> = refused.map(|error| error.kind).collect();
    assert_eq!(
        refused,
        [StoreErrorKind::Held; TASKS - 1],
        "one has the lease, the others wait"
    );
}

pub(super) async fn one_of_many_creates_a_run(store: Shared) {
    let creators = store.clone();
    let runs = at_once(move |task| {
        let store = creators.clone();
        async move {
            let mut new = new_run("run");
            new.entries = vec![task.to_string(); 3];
            store.create(&new, LONG).await.map(|_| task)
        }
    })
    .await;
    let created: Vec<_> = runs.iter().filter_map(|run| run.as_ref().ok()).collect();
    assert_eq!(created.len(), 1, "one creates the run: {runs:?}");
    for error in runs.iter().filter_map(|run| run.as_ref().err()) {
        assert_eq!(
            error.kind,
            StoreErrorKind::Exists,
            "the others find it: {error}"
        );
    }
    let entries = loaded(&store, "run").await.entries;
    assert_eq!(
        entries,
        [
            created[0].to_string(),
            created[0].to_string(),
            created[0].to_string()
        ],
        "with its log"
    );
}
