//! A process that dies, or a store that fails, at every append of runs that wait below.

use toolwright::store::{RunStatus, Scope, Store};

use super::*;
use crate::kept_runs::crashing::{End, Failing};

/// Drives a tree until its store ends like this at this append. Then others go on with it, and decide about what waits, until
/// it is over. It gives how often was paid, and whether the store got that far.
async fn interrupted(end: End, at: usize) -> (usize, bool) {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let failing = Failing::new(store.clone(), end, at);
    let mut handle = wide(failing.clone(), &ran).start("buy");
    let top = handle.id().clone();
    for step in 0.. {
        assert!(step < 12, "{end:?} at {at} comes to no end");
        tokio::select! {
            () = async { while handle.next().await.is_some() {} } => {}
            () = failing.died(), if !failing.has_failed() => {}
        }
        drop(handle);
        let Ok(loaded) = store.load(Scope::All, &top, u64::MAX).await else {
            // It was not begun.
            break;
        };
        if loaded.status.is_over() {
            all_are_over(&store).await;
            break;
        }
        if loaded.status == RunStatus::Suspended {
            for call in loaded.pending {
                let is_first = call.path[0].call.index == 0;
                let said = if is_first {
                    call.deny("no")
                } else {
                    call.approve()
                };
                say(&store, &top, said).await;
            }
        }
        let before = wide(failing.clone(), &ran).resume(&top).start().await;
        handle = match before {
            Ok(handle) if !failing.has_failed() => handle,
            _ => match wide(store.clone(), &ran).resume(&top).start().await {
                Ok(handle) => handle,
                Err(error) => panic!("{end:?} at {at}: {error}"),
            },
        };
    }
    (ran.counts().0, failing.has_failed())
}

/// The payment that was approved is made at most once and the other one never, and whatever dies, the run comes to its end.
#[tokio::test]
async fn no_call_below_runs_twice_wherever_the_process_dies() {
    let mut steps = 0;
    for end in [
        End::DiesBefore,
        End::DiesAfter,
        End::FailsBefore,
        End::FailsAfter,
    ] {
        for at in 0.. {
            let (paid, failed) = interrupted(end, at).await;
            assert!(paid <= 1, "{end:?} at append {at}: paid {paid} times");
            if !failed {
                assert_eq!(paid, 1, "{end:?} was not met");
                break;
            }
            steps += 1;
        }
    }
    assert!(steps >= 40, "only {steps} steps");
}
