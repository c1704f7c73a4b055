//! Processes that die and power that fails, at every step.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, SystemTime},
};

use super::{LONG, continues, folder::Folder, id, texts};
use crate::store::{
    Append, ConversationId, ConversationVersion, FileStore, InboxContent, InboxItem, RunStatus,
    Store, StoreError, StoreErrorKind, files::disk::Disk,
};

/// How far a program came: each step was acknowledged.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Came {
    #[default]
    Nowhere,
    Created,
    AppendedOne,
    AppendedUnsynced,
    Put,
    Leased,
    Finished,
    Over,
}

async fn program(store: &FileStore, came: &mut Came) -> Result<(), StoreError> {
    let lease = store.create(&continues("run", 0), Duration::ZERO).await?;
    *came = Came::Created;
    store
        .append(&lease, &Append::new(1, texts(["one", "two"])))
        .await?;
    *came = Came::AppendedOne;
    let mut append = Append::new(3, texts(["three"]));
    append.synced = false;
    store.append(&lease, &append).await?;
    *came = Came::AppendedUnsynced;
    store
        .put(&id(), &InboxItem::with_id("a", InboxContent::Cancel))
        .await?;
    *came = Came::Put;
    let lease = store.lease(&id(), LONG).await?;
    *came = Came::Leased;
    let mut append = Append::new(4, texts(["four"]));
    append.taken = 1;
    append.status = Some(RunStatus::Finished);
    append.conversation = Some(ConversationVersion::new(1, "saved"));
    store.append(&lease, &append).await?;
    *came = Came::Finished;
    let next = store.create(&continues("next", 1), Duration::ZERO).await?;
    store
        .append(
            &next,
            &Append {
                status: Some(RunStatus::Finished),
                synced: true,
                ..Append::default()
            },
        )
        .await?;
    *came = Came::Over;
    Ok(())
}

/// Makes all files look old: who died did so a minute ago.
pub(super) fn age(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder is read") {
        let path = entry.expect("it is read").path();
        if path.is_dir() {
            age(&path);
        } else {
            let file = File::options()
                .write(true)
                .open(path)
                .expect("a file is opened");
            let minute = SystemTime::now() - Duration::from_secs(60);
            file.set_modified(minute).expect("its time is set");
        }
    }
}

async fn check(folder: &Folder, came: Came, lost: bool, what: &str) {
    let store = folder.process(7).await;
    let talk = ConversationId::new("talk");
    let listed = store.conversations(None, None, 10).await;
    let listed = listed.expect("conversations are listed").items.len();
    let versions = store
        .conversation(&talk, None)
        .await
        .expect("a conversation is loaded");
    let loaded = match store.load(&id(), 0).await {
        Ok(loaded) => loaded,
        Err(error) => {
            assert_eq!(error.kind, StoreErrorKind::NotFound, "{what}: {error}");
            assert_eq!(came, Came::Nowhere, "{what}: the run is lost");
            assert_eq!(versions, [], "{what}");
            store
                .create(&continues("other", 0), LONG)
                .await
                .expect("the conversation is free");
            return;
        }
    };
    let all = ["{\"zero\":0}", "one", "two", "three", "four"];
    let count = loaded.entries.len();
    assert_eq!(loaded.entries, all[..count], "{what}: a prefix");
    assert!(count != 2, "{what}: half of an append");
    let least = match came {
        Came::Nowhere | Came::Created => 1,
        Came::AppendedOne => 3,
        Came::AppendedUnsynced | Came::Put => {
            if lost {
                3
            } else {
                4
            }
        }
        // Whoever takes a lease syncs what was before.
        Came::Leased => 4,
        Came::Finished | Came::Over => 5,
    };
    assert!(count >= least, "{what}: {count} of {least} entries");
    let is_over = loaded.status == RunStatus::Finished;
    assert_eq!(is_over, count == 5, "{what}: the status with the entry");
    assert_eq!(
        loaded.taken,
        u64::from(is_over),
        "{what}: the inbox with the entry"
    );
    assert_eq!(
        versions.len(),
        usize::from(is_over),
        "{what}: the conversation with the entry"
    );
    assert_eq!(listed, versions.len(), "{what}: the list");
    let items = store.inbox(&id(), 0).await.expect("an inbox").len();
    assert!(items == 1 || came < Came::Put, "{what}: the item");

    if is_over {
        let next = store.create(&continues("third", 1), LONG).await;
        if let Err(error) = next {
            // It did not come so far that it finished the next run.
            assert_eq!(
                error.kind,
                StoreErrorKind::ConversationBusy,
                "{what}: {error}"
            );
            assert!(came < Came::Over, "{what}: {error}");
            let next = crate::run::RunId::new("next");
            store
                .abandon(&next)
                .await
                .expect("the next run is given up");
            store
                .create(&continues("third", 1), LONG)
                .await
                .expect("the conversation is free");
        }
        return;
    }
    // The lease of who died is over at some time.
    store.abandon(&id()).await.expect("a run is given up");
    store
        .create(&continues("third", 0), LONG)
        .await
        .expect("the conversation is free");
}

#[tokio::test]
async fn whatever_was_acknowledged_survives_a_death_at_every_step() {
    for lost in [false, true] {
        let mut steps = 0;
        loop {
            let folder = Folder::new();
            let disk = Disk::default();
            let power = disk.power.clone();
            let store = folder.store_on(disk).await;
            power.fails_after(Some(steps));
            let mut came = Came::Nowhere;
            let ended = program(&store, &mut came).await;
            let what = format!("after {steps} steps, came to {came:?}, power lost: {lost}");
            if let Err(error) = &ended {
                assert_eq!(error.kind, StoreErrorKind::Unavailable, "{what}: {error}");
            }
            if lost {
                power.lose(folder.path()).expect("the power is lost");
            }
            age(folder.path());
            check(&folder, came, lost, &what).await;
            if came == Came::Over {
                assert!(steps > 30, "only {steps} steps");
                break;
            }
            steps += 1;
        }
    }
}

#[tokio::test]
async fn an_append_is_synced_once() {
    let (folder, disk) = (Folder::new(), Disk::default());
    let power = disk.power.clone();
    let store = folder.store_on(disk).await;
    let lease = store
        .create(&continues("run", 0), LONG)
        .await
        .expect("a run");
    let syncs = power.syncs();
    store
        .append(&lease, &Append::new(1, texts(["one", "two"])))
        .await
        .expect("an append");
    assert_eq!(power.syncs(), syncs + 1, "one for an append");
    let mut append = Append::new(3, texts(["three"]));
    append.synced = false;
    store.append(&lease, &append).await.expect("an append");
    store.renew(&lease, LONG).await.expect("a renewal");
    assert_eq!(
        power.syncs(),
        syncs + 1,
        "none for what is not to be synced"
    );
}

#[tokio::test]
async fn a_failed_sync_ends_the_lease() {
    let (folder, disk) = (Folder::new(), Disk::default());
    let power = disk.power.clone();
    let store = folder.store_on(disk).await;
    let lease = store
        .create(&continues("run", 0), LONG)
        .await
        .expect("a run");
    power.syncs_fail(true);
    let failed = store.append(&lease, &Append::new(1, texts(["one"]))).await;
    let error = failed.expect_err("a sync fails");
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::Unavailable, Some(id()))
    );
    power.syncs_fail(false);
    let other = folder.process(2).await;
    let run = other.load(&id(), 0).await.expect("the run");
    assert_eq!(run.entries.len(), 1, "what was not synced does not count");
    for next in [1, 2] {
        let late = store
            .append(&lease, &Append::new(next, texts(["late"])))
            .await;
        assert_eq!(
            late.expect_err("the lease is over").kind,
            StoreErrorKind::LeaseLost
        );
    }
    let renewed = store.renew(&lease, LONG).await;
    assert_eq!(
        renewed.expect_err("the lease is over").kind,
        StoreErrorKind::LeaseLost
    );
    let lease = other.lease(&id(), LONG).await.expect("nobody holds it");
    let next = Append::new(1, texts(["one"]));
    other.append(&lease, &next).await.expect("it goes on");
}

#[tokio::test]
async fn a_failed_write_changes_nothing() {
    let (folder, disk) = (Folder::new(), Disk::default());
    let power = disk.power.clone();
    let store = folder.store_on(disk).await;
    let lease = store
        .create(&continues("run", 0), LONG)
        .await
        .expect("a run");
    let mut append = Append::new(1, texts(["one"]));
    append.synced = false;
    power.fails_after(Some(0));
    let error = store
        .append(&lease, &append)
        .await
        .expect_err("a write fails");
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::Unavailable, Some(id()))
    );
    let error = store
        .create(&continues("other", 0), LONG)
        .await
        .expect_err("a write fails");
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    power.fails_after(None);
    assert_eq!(
        store.load(&id(), 0).await.expect("the run").entries.len(),
        1
    );
    store
        .append(&lease, &append)
        .await
        .expect("it is tried again");
}
