use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Wake, Waker},
    time::{Duration, SystemTime},
};

use futures_util::FutureExt;

use super::MemoryStore;
use crate::store::{
    Append, InboxContent, InboxItem, NewRun, RunInfo, RunStatus, Scope, Store, StoreError,
};
use toolwright_core::{run::RunId, tool::BoxFuture};

/// The number of times that somebody was woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Somebody who waits.
struct Waits<'a>(BoxFuture<'a, Result<(), StoreError>>, Arc<Woken>);

impl<'a> Waits<'a> {
    fn new(wait: BoxFuture<'a, Result<(), StoreError>>) -> Self {
        let mut waits = Self(wait, Arc::default());
        waits.poll();
        waits
    }

    fn poll(&mut self) {
        let waker = Waker::from(self.1.clone());
        let polled = self.0.poll_unpin(&mut Context::from_waker(&waker));
        assert!(polled.is_pending(), "nothing came");
    }

    fn woken(&self) -> usize {
        self.1.0.load(Ordering::Relaxed)
    }
}

#[tokio::test]
async fn who_waits_is_woken_for_what_is_waited_for() {
    let store = MemoryStore::new();
    let (run, other) = (RunId::new("run"), RunId::new("other"));
    let mut leases = Vec::new();
    for run in [&run, &other] {
        let info = RunInfo::new(run.clone(), "runner", SystemTime::now());
        let new = NewRun::new(info, Vec::new());
        let created = store.create(&new, Duration::from_secs(60)).await;
        leases.push(created.expect("a run"));
    }
    let waits = [
        Waits::new(store.wait_for_inbox(Scope::All, &run, 9)),
        Waits::new(store.wait_for_entries(Scope::All, &run, 9)),
        Waits::new(store.wait_for_inbox(Scope::All, &other, 9)),
        Waits::new(store.wait_for_entries(Scope::All, &other, 9)),
    ];
    let append = Append::new(0, vec!["zero".to_owned()]);
    let appended = store.append(&leases[0], &append).await;
    appended.expect("an append");
    assert_eq!(waits.each_ref().map(Waits::woken), [0, 1, 0, 0]);
    let item = InboxItem::new(InboxContent::Cancel);
    store.put(Scope::All, &other, &item).await.expect("an item");
    assert_eq!(waits.each_ref().map(Waits::woken), [0, 1, 1, 0]);
    let end = Append {
        status: Some(RunStatus::Finished),
        ..Append::default()
    };
    store.append(&leases[0], &end).await.expect("it finishes");
    assert_eq!(waits.each_ref().map(Waits::woken), [1, 1, 1, 0]);
    store
        .abandon(Scope::All, &other)
        .await
        .expect("it is given up");
    assert_eq!(waits.each_ref().map(Waits::woken), [1, 1, 1, 1]);
}

#[tokio::test]
async fn who_waits_no_more_leaves_nothing() {
    let (store, run) = (MemoryStore::new(), RunId::new("run"));
    let info = RunInfo::new(run.clone(), "runner", SystemTime::now());
    let new = NewRun::new(info, Vec::new());
    let created = store.create(&new, Duration::from_secs(60)).await;
    created.expect("a run");
    for _ in 0..3 {
        let waited = store.wait_for_inbox(Scope::All, &run, 0).now_or_never();
        assert!(waited.is_none(), "nothing came");
        assert!(store.0.lock().waiting.is_empty());
    }
}
