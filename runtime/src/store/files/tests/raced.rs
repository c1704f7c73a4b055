//! What another process does between two steps, where two would have what only one may.

use std::sync::{Arc, Mutex};

use super::{LONG, continues, folder::Folder, id, texts};
use crate::store::{
    Append, InboxContent, InboxItem, RunStatus, Store, StoreErrorKind, files::disk::Disk,
};

fn item(id: &str) -> InboxItem {
    InboxItem::with_id(id, InboxContent::Cancel)
}

fn finished(taken: u64) -> Append {
    let mut append = Append::new(1, texts(["last"]));
    append.status = Some(RunStatus::Finished);
    append.taken = taken;
    append
}

#[tokio::test]
async fn an_item_that_comes_with_the_end_is_heard_or_refused() {
    // The driver has heard it, or has not.
    for taken in [0, 1] {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let (first, driver) = (folder.store_on(disk).await, folder.process(2).await);
        let lease = driver.create(&continues("run", 0), LONG).await;
        let lease = lease.expect("a run");
        // The item is about to get its place, or has it already.
        let steps = if taken == 0 { 0 } else { 3 };
        power.meanwhile(steps, move || {
            driver
                .0
                .append(&lease, &finished(taken))
                .expect("it finishes");
        });
        let put = first.put(&id(), &item("a")).await;
        let refused = put.err().map(|error| error.kind);
        let expected = (taken == 0).then_some(StoreErrorKind::RunIsOver);
        assert_eq!(refused, expected, "taken: {taken}");
    }
}

#[tokio::test]
async fn a_conversation_has_one_run_whatever_others_do_meanwhile() {
    let mut refused = 0;
    for steps in 0..20 {
        let (folder, disk) = (Folder::new(), Disk::default());
        let power = disk.power.clone();
        let (first, other) = (folder.store_on(disk).await, folder.process(2).await);
        let second = Arc::new(Mutex::new(None));
        let seen = second.clone();
        // Two runs come and go, and a third one stays.
        power.meanwhile(steps, move || {
            let begins = |run: &str| other.0.create(&continues(run, 0), LONG);
            for run in ["a", "b"] {
                if let Ok(lease) = begins(run) {
                    let ended = other.0.append(&lease, &finished(0));
                    ended.expect("it finishes");
                }
            }
            *seen.lock().expect("it is whole") = Some(begins("c"));
        });
        let begun = first.create(&continues("run", 0), LONG).await;
        let second = second.lock().expect("it is whole").take();
        let Some(second) = second else {
            begun.expect("nobody came");
            continue;
        };
        assert!(
            begun.is_ok() != second.is_ok(),
            "after {steps} steps: {begun:?} and {second:?}"
        );
        if let Err(error) = begun {
            assert_eq!(error.kind, StoreErrorKind::ConversationBusy, "{error}");
            refused += 1;
        }
    }
    assert!(refused > 5, "{refused}");
}
