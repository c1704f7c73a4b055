//! Runs that cannot be read: nothing of them is executed, and the others go on.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use toolwright::{
    run::{ResumeError, RunId, StoreErrorKind},
    store::{Append, LoadedRun, MemoryStore, RunFilter, Scope, Store},
};

use super::{
    delegated::{Done, delegated},
    *,
};

/// Changes the entries of a log.
type Damage = fn(&mut Vec<String>);

/// Damages, and the record that the error names.
const DAMAGES: [(&str, Damage, u64); 4] = [
    ("a record is missing", |entries| drop(entries.remove(0)), 0),
    (
        "a record is there twice",
        |entries| entries.insert(1, entries[1].clone()),
        1,
    ),
    (
        "a record is of another run",
        |entries| entries[0] = entries[0].replacen("\"run\":\"", "\"run\":\"x", 1),
        0,
    ),
    (
        "a record has a newer version",
        |entries| entries[0] = entries[0].replacen("\"version\":1", "\"version\":7", 1),
        0,
    ),
];

/// A store that reads one of its runs with damage.
#[derive(Clone)]
struct Damaged {
    store: MemoryStore,
    run: Arc<Mutex<Option<RunId>>>,
    damage: Damage,
}

impl Store for Damaged {
    delegated!(create append lease inbox renew conversation others);

    fn load<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, from: u64) -> Done<'a, LoadedRun> {
        Box::pin(async move {
            let mut loaded = self.store.load(scope, run, from).await?;
            if self.run.lock().expect("it is there").as_ref() == Some(run) {
                (self.damage)(&mut loaded.entries);
            }
            Ok(loaded)
        })
    }
}

#[tokio::test]
async fn nothing_of_a_damaged_run_is_executed() {
    for (what, damage, sequence) in DAMAGES {
        let (tools, ran) = tools();
        let (store, run) = (MemoryStore::new(), Arc::default());
        let store = Damaged { store, run, damage };
        let runner = builder(&model([calls(&["pay"])]), &tools, store.clone());
        let runner = runner.lease_time(OVER).build().expect("it is there");
        let mut ids = Vec::new();
        for _ in 0..2 {
            let mut handle = runner.start("buy");
            handle.next().await.expect("it begins");
            let id = handle.id().clone();
            drop(handle);
            add_a_record(&store, &id).await;
            ids.push(id);
        }
        *store.run.lock().expect("it is there") = Some(ids[0].clone());

        let error = runner.resume(&ids[0]).start().await.unwrap_err();
        let ResumeError::Store(error) = error else {
            panic!("{what}: {error}");
        };
        let kinds = [StoreErrorKind::Corrupt, StoreErrorKind::Newer];
        assert!(kinds.contains(&error.kind), "{what}: {error}");
        assert_eq!(error.run_id.as_ref(), Some(&ids[0]), "{what}: {error}");
        assert!(
            error.sequence.is_some_and(|at| at >= sequence),
            "{what}: {error:?}"
        );

        let mut recovered = runner.recover().await.expect("it is there");
        recovered.sort_by_key(|run| run.run_id != ids[0]);
        assert_eq!(recovered.len(), 2, "{what}");
        recovered.remove(0).handle.expect_err(what);
        let other = recovered.remove(0);
        assert_eq!(other.run_id, ids[1], "{what}");
        drop(other);
        assert_eq!(ran.counts(), (0, 0), "{what}");

        runner.abandon(&ids[0]).await.expect(what);
        store.delete_run(Scope::All, &ids[0]).await.expect(what);
        let page = store
            .list(Scope::All, &RunFilter::default())
            .await
            .expect("it is there");
        assert_eq!((page.items.len(), page.damaged.len()), (1, 0), "{what}");
    }
}

/// Appends a record to a run that has one, as a driver writes it.
async fn add_a_record(store: &Damaged, run: &RunId) {
    let lease = store
        .lease(Scope::All, run, Duration::ZERO)
        .await
        .expect("it is there");
    let loaded = store.load(Scope::All, run, 0).await.expect("it is there");
    assert_eq!(loaded.entries.len(), 1, "{:?}", loaded.entries);
    let second = loaded.entries[0]
        .replacen("\"sequence\":0", "\"sequence\":1", 1)
        .replacen("\"type\":\"started\"", "\"type\":\"cancel_after_round\"", 1);
    let append = Append::new(1, vec![second]);
    store.append(&lease, &append).await.expect("it is there");
}
