//! Several processes in one folder.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use super::{LONG, continues, folder::Folder, id, texts};
use crate::{
    store::{
        Append, FileStore, InboxContent, InboxItem, Lease, RunStatus, Store, StoreErrorKind,
        files::disk::{Disk, power::Power},
    },
    testing::store::{Place, check_anew},
};

/// A folder in which each store is that of another process.
struct Processes(Folder, AtomicU32);

impl Place for Processes {
    type Store = FileStore;

    async fn open(&self) -> FileStore {
        let number = self.1.fetch_add(1, Ordering::Relaxed);
        self.0.process(number + 10).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn every_call_may_come_from_another_process() {
    let modules = [
        "concurrent",
        "inbox",
        "leases",
        "locks",
        "ending",
        "appending",
    ];
    check_anew(&modules, async || {
        Processes(Folder::new(), AtomicU32::new(0))
    })
    .await;
}

#[tokio::test]
async fn a_driver_that_was_away_is_refused() {
    let folder = Folder::new();
    let (first, second) = (folder.process(1).await, folder.process(2).await);
    let old = first
        .create(&continues("run", 0), Duration::ZERO)
        .await
        .expect("a run");
    first
        .append(&old, &Append::new(1, texts(["one"])))
        .await
        .expect("an append");
    let new = second.lease(&id(), LONG).await.expect("the run is free");
    second
        .append(&new, &Append::new(2, texts(["two"])))
        .await
        .expect("an append");
    for next in [2, 3] {
        let mut late = Append::new(next, texts(["late"]));
        late.status = Some(RunStatus::Finished);
        let late = first.append(&old, &late).await;
        assert_eq!(
            late.expect_err("it was away").kind,
            StoreErrorKind::LeaseLost
        );
    }
    assert_eq!(
        first.renew(&old, LONG).await.expect_err("it was away").kind,
        StoreErrorKind::LeaseLost
    );
    // What it writes all the same does not count.
    let path = folder
        .path()
        .join("runs/x-run/log-00000000000000000001.jsonl");
    let mut lines = std::fs::read(&path).expect("the first segment");
    lines.extend_from_slice(b"{\"text\":\"late\"}\n{\"end\":{\"first\":2,\"entries\":1}}\n");
    std::fs::write(&path, lines).expect("it is written");
    for store in [first, second] {
        let run = store.load(&id(), 0).await.expect("the run");
        assert_eq!(run.entries, ["{\"zero\":0}", "one", "two"]);
        assert_eq!(run.status, RunStatus::Open);
    }
}

/// A run whose lease is over, with stores of two processes, and what the first one does meanwhile.
async fn two() -> (Folder, FileStore, FileStore, Power, Lease) {
    let (folder, disk) = (Folder::new(), Disk::default());
    let power = disk.power.clone();
    let (first, second) = (folder.store_on(disk).await, folder.process(2).await);
    let lease = first.create(&continues("run", 0), Duration::ZERO).await;
    let lease = lease.expect("a run");
    (folder, first, second, power, lease)
}

#[tokio::test]
async fn an_append_after_another_driver_came_does_not_count() {
    let (folder, first, second, power, lease) = two().await;
    let other = second.clone();
    // The first driver has found no newer lease, and is about to write.
    power.meanwhile(0, move || {
        other.0.lease(&id(), LONG).expect("the run is free");
    });
    let late = first.append(&lease, &Append::new(1, texts(["late"]))).await;
    assert_eq!(
        late.expect_err("another one came").kind,
        StoreErrorKind::LeaseLost
    );
    let run = second.load(&id(), 0).await.expect("the run");
    assert_eq!(run.entries, ["{\"zero\":0}"]);
    let first = folder
        .path()
        .join("runs/x-run/log-00000000000000000001.jsonl");
    let lines = std::fs::read_to_string(first).expect("the first segment");
    assert!(
        !lines.contains("late"),
        "what does not count is cut: {lines}"
    );
    let new = Lease::new(id(), 2, lease.until);
    let next = Append::new(1, texts(["one"]));
    second
        .append(&new, &next)
        .await
        .expect("the new driver goes on");
}

#[tokio::test]
async fn an_append_before_another_driver_came_counts() {
    let (_folder, first, second, power, lease) = two().await;
    let other = second.clone();
    // The first driver has written, and has not looked for a newer lease yet.
    power.meanwhile(1, move || {
        other.0.lease(&id(), LONG).expect("the run is free");
    });
    let written = first.append(&lease, &Append::new(1, texts(["one"]))).await;
    written.expect("the other driver has found it");
    let run = second.load(&id(), 0).await.expect("the run");
    assert_eq!(run.entries, ["{\"zero\":0}", "one"]);
    let late = first.append(&lease, &Append::new(2, texts(["late"]))).await;
    assert_eq!(
        late.expect_err("another one came").kind,
        StoreErrorKind::LeaseLost
    );
}

#[tokio::test]
async fn an_append_while_another_driver_looks_counts() {
    let (_folder, first, second, power, lease) = two().await;
    // The first store takes the lease, and has read the log.
    let other = second.clone();
    let old = lease.clone();
    power.meanwhile(0, move || {
        let append = Append::new(1, texts(["one"]));
        other
            .0
            .append(&old, &append)
            .expect("nobody has taken the lease yet");
    });
    let new = first.lease(&id(), LONG).await.expect("the run is free");
    let run = first.load(&id(), 0).await.expect("the run");
    assert_eq!(run.entries, ["{\"zero\":0}", "one"]);
    first
        .append(&new, &Append::new(2, texts(["two"])))
        .await
        .expect("it goes on");
}

#[tokio::test]
async fn an_item_that_comes_while_a_run_is_suspended_is_heard() {
    let (_folder, first, second, power, lease) = two().await;
    let mut append = Append::new(1, texts(["one"]));
    append.status = Some(RunStatus::Suspended {
        pending: Vec::new(),
    });
    // The inbox was empty, and the lines are written: now comes an item.
    power.meanwhile(1, move || {
        let item = InboxItem::with_id("a", InboxContent::Cancel);
        second.0.put(&id(), &item).expect("an item is put");
    });
    let suspended = first.append(&lease, &append).await;
    assert_eq!(
        suspended.expect_err("an item came").kind,
        StoreErrorKind::InboxNotEmpty
    );
    let run = first.load(&id(), 0).await.expect("the run");
    assert_eq!((run.entries.len(), run.status), (1, RunStatus::Open));
    append.taken = 1;
    first
        .append(&lease, &append)
        .await
        .expect("it is suspended with the item");
}

#[tokio::test(start_paused = true)]
async fn who_follows_a_run_looks_until_something_comes() {
    let (_folder, first, second, _power, lease) = two().await;
    let follows = first.wait_for_entries(&lease.run_id, 1);
    let nothing = tokio::time::timeout(Duration::from_secs(5), follows).await;
    nothing.expect_err("nothing comes");
    // Another process appends while somebody follows.
    let follows = async { first.wait_for_entries(&lease.run_id, 1).await };
    let appends = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let append = Append::new(1, texts(["one"]));
        second.append(&lease, &append).await.expect("an append");
        second.load(&lease.run_id, 1).await.expect("the run")
    };
    let (followed, run) = tokio::join!(follows, appends);
    followed.expect("an entry came");
    assert_eq!(run.entries, ["one"]);
}

#[tokio::test]
async fn who_died_while_taking_a_lease_keeps_it_for_a_while() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let old = store
        .create(&continues("run", 0), Duration::ZERO)
        .await
        .expect("a run");
    let path = folder
        .path()
        .join("runs/x-run/log-00000000000000000002.jsonl");
    let file = std::fs::File::create_new(path).expect("a segment");
    let error = store
        .lease(&id(), LONG)
        .await
        .expect_err("somebody takes it");
    assert_eq!(error.kind, StoreErrorKind::Held);
    assert!(error.until.is_some());
    let late = store.append(&old, &Append::new(1, texts(["late"]))).await;
    assert_eq!(
        late.expect_err("somebody takes it").kind,
        StoreErrorKind::LeaseLost
    );
    let minute = std::time::SystemTime::now() - Duration::from_secs(60);
    file.set_modified(minute).expect("the time is set");
    let lease = store.lease(&id(), LONG).await.expect("who took it is dead");
    assert_eq!(lease.token, 3);
    store
        .append(&lease, &Append::new(1, texts(["one"])))
        .await
        .expect("an append");
}
