//! What one process began, and another one goes on with.

use std::time::Duration;

use super::{LONG, continues, folder::Folder, id, lost::age, texts};
use crate::store::{
    Append, ConversationId, ConversationVersion, FileStore, InboxContent, InboxItem, NewRun,
    RunInfo, Store, StoreError, StoreErrorKind, files::disk::Disk,
};

fn run() -> NewRun {
    let created = std::time::SystemTime::UNIX_EPOCH;
    NewRun::new(RunInfo::new(id(), "runner", created), texts(["zero"]))
}

/// Saves a version of a conversation, begins a run, and puts an item into its inbox. What is there already is fine.
async fn begin(store: &FileStore, version: u64) -> Result<(), StoreError> {
    let done = |result: Result<(), StoreError>| match result {
        Err(error)
            if matches!(
                error.kind,
                StoreErrorKind::Outdated | StoreErrorKind::Exists
            ) =>
        {
            Ok(())
        }
        result => result,
    };
    let talk = ConversationId::new("talk");
    for version in 1..=version {
        let version = ConversationVersion::new(version, "text");
        done(store.save_conversation(&talk, None, &version).await)?;
    }
    done(store.create(&run(), Duration::ZERO).await.map(drop))?;
    let item = InboxItem::with_id("a", InboxContent::Cancel);
    store.put(&id(), &item).await
}

#[tokio::test]
async fn what_another_process_began_survives_with_what_follows() {
    for steps in 0.. {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let place = folder.path().join("deep/er");
        power.fails_after(Some(steps));
        let first = FileStore::open_on(place.clone(), disk.clone(), 1).await;
        let first = match first {
            Ok(store) => begin(&store, 1).await,
            Err(error) => Err(error),
        };
        power.fails_after(None);
        age(folder.path());
        let second = FileStore::open_on(place.clone(), disk, 2).await;
        let second = second.expect("a store is opened");
        begin(&second, 2).await.expect("it is done");
        power.lose(folder.path()).expect("the power is lost");

        let what = format!("after {steps} steps");
        let store = FileStore::open_on(place, Disk::default(), 3).await;
        let store = store.expect("a store is opened");
        let talk = ConversationId::new("talk");
        let versions = store.conversation(&talk, None).await;
        assert_eq!(versions.expect("a conversation").len(), 2, "{what}");
        let items = store.inbox(&id(), 0).await;
        assert_eq!(items.expect(&what).len(), 1, "{what}");
        if first.is_ok() {
            assert!(steps > 20, "only {steps} steps");
            return;
        }
    }
}

#[tokio::test]
async fn a_run_that_begins_too_slowly_may_begin_again() {
    let mut late = 0;
    for steps in 0..20 {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let (first, other) = (folder.store_on(disk).await, folder.process(2).await);
        let root = folder.path().to_owned();
        power.meanwhile(steps, move || {
            age(&root);
            let _ = other.0.create(&continues("other", 0), LONG);
        });
        if let Err(error) = first.create(&continues("run", 0), LONG).await {
            assert_ne!(error.kind, StoreErrorKind::Exists, "after {steps} steps");
            late += usize::from(error.kind == StoreErrorKind::Unavailable);
        }
    }
    assert!(late > 0);
}

#[tokio::test]
async fn a_renewal_does_not_make_the_log_be_read_again() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let lease = store.create(&run(), LONG).await.expect("a run");
    let append = store.append(&lease, &Append::new(1, texts(["one"]))).await;
    append.expect("an append");
    let lease = store.renew(&lease, LONG).await.expect("it is held");
    assert!(super::super::turns::locked(&store.0.states).contains_key(&id()));
    let append = store.append(&lease, &Append::new(2, texts(["two"]))).await;
    append.expect("an append");
    let loaded = store.load(&id(), 0).await.expect("the run");
    assert_eq!(loaded.entries, ["zero", "one", "two"]);
    assert_eq!(loaded.held_until, Some(lease.until));
}
