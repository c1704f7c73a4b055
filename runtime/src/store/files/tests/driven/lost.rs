//! Power that fails at every step of a run, and at another one when the run is resumed.

use std::collections::BTreeSet;

use super::*;
use crate::store::files::{disk::Disk, tests::lost::age};

/// The number of records that survive whatever happens, of those that were read: up to the last start of a call that writes,
/// or the last end of a round or of the run.
fn vital(read: &[(u64, Record)]) -> u64 {
    let (mut vital, mut under_way) = (0, BTreeSet::new());
    for (sequence, record) in read {
        let is_vital = match record {
            Record::CallStarted { call, .. } => {
                under_way.insert(*call);
                call.index == 0
            }
            Record::CallFinished { call, .. } => {
                under_way.remove(call);
                under_way.is_empty()
            }
            Record::Started { .. } | Record::Finished { .. } => true,
            _ => false,
        };
        if is_vital {
            vital = sequence + 1;
        }
    }
    vital
}

/// Checks that a log has all that survives of what was read.
async fn check_kept(store: &FileStore, run: &RunId, read: &[(u64, Record)], what: &str) {
    let log = log(store, run).await;
    let least = vital(read);
    assert!(
        log.len() as u64 >= least,
        "{what}: {} of {least} records",
        log.len()
    );
    for (sequence, record) in read.iter().filter(|(sequence, _)| *sequence < least) {
        let kept = usize::try_from(*sequence).expect("a short log");
        assert_eq!(&log[kept], record, "{what}: record {sequence}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_loses_nothing_that_was_synced_when_the_power_fails() {
    for steps in 0.. {
        let (folder, began) = (Folder::new(), Began::default());
        let disk = Disk::default();
        let power = disk.power.clone();
        let runner = began.runner(folder.store_on(disk.clone()).await);
        power.fails_after(Some(steps));
        let (read, error) = drive(runner.start("go")).await;
        power.lose(folder.path()).expect("the power is lost");
        age(folder.path());
        let what = format!("after {steps} steps, with {} records", read.len());
        let store = folder.process(1).await;
        let Some(run) = only_run(&store).await else {
            assert!(read.is_empty(), "{what}: the run is lost");
            continue;
        };
        check_kept(&store, &run, &read, &what).await;

        let kept = log(&store, &run).await;

        // What was lost is not known to be lost: what the next one appends follows what is left.
        let runner = began.runner(folder.store_on(disk).await);
        power.fails_after(Some(steps * 7 % 13));
        let resumed = resume(&runner, &run).await;
        power.lose(folder.path()).expect("the power is lost");
        age(folder.path());
        let store = folder.process(2).await;
        if let Ok((more, _)) = resumed {
            let read: Vec<_> = (0..).zip(kept).chain(more).collect();
            check_kept(&store, &run, &read, &what).await;
        }

        let runner = began.runner(store.clone());
        let (_, failed) = resume(&runner, &run).await.expect("it is free");
        assert_eq!(failed, None, "{what}");
        check_end(&store, &run, &began, &what).await;
        if error.is_none() {
            assert!(steps > 14, "only {steps} steps");
            break;
        }
    }
}

/// The creation of the run, the start of each round and its end, and the end of the run.
#[tokio::test(start_paused = true)]
async fn a_round_is_synced_twice() {
    let (folder, began) = (Folder::new(), Began::default());
    let disk = Disk::default();
    let power = disk.power.clone();
    let runner = began.runner(folder.store_on(disk).await);
    let mut handle = runner.start("go");
    handle.next().await.expect("it begins");
    let created = power.syncs();
    assert_eq!(drive(handle).await.1, None);
    assert_eq!(power.syncs() - created, 2 * ROUNDS + 1);
}
