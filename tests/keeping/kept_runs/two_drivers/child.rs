//! A process that tries to drive a run, again and again, until the run is over.

use std::time::Duration;

use toolwright::{
    Runner,
    run::{Failure, ResumeError, RunId, StoreErrorKind},
    runner::RunHandle,
    store::{RunFilter, Scope, Store},
};

use super::{BEGINS, ROUNDS};
use crate::kept_runs::processes::{Folder, Kind, Pointed, Points, Script, number, say, tools};

/// Long enough for a process that is not stopped, on a machine that has much to do.
const LEASE_TIME: Duration = Duration::from_millis(200);

/// The wait before it tries again.
const PAUSE: Duration = Duration::from_millis(5);

#[tokio::test]
#[ignore = "other tests start it"]
async fn drives_against_another() {
    let (folder, points) = (Folder::given(), Points::given());
    let store = Pointed::new(Kind::given().open(&folder).await, &points);
    let runner = Runner::builder(Script { rounds: ROUNDS })
        .tools(tools(&folder, &points))
        .store("two drivers", store.clone())
        .lease_time(LEASE_TIME)
        .build()
        .expect("is sound");
    let run = loop {
        let runs = store.list(Scope::All, &RunFilter::default()).await;
        if let Some(run) = runs.expect("is read").items.first() {
            break run.info.run_id.clone();
        }
        if number(BEGINS) == Some(1) {
            drive(runner.start("go")).await;
        }
        // Who was stopped while it was created may have been told that it is not, and it appears now.
        tokio::time::sleep(LEASE_TIME).await;
    };
    while let Some(handle) = resumed(&runner, &run).await {
        drive(handle).await;
    }
    say!("over");
}

/// Drives a run until it is over, or somebody else has it.
async fn drive(handle: RunHandle) {
    let Err(error) = handle.outcome().await else {
        return;
    };
    let Failure::Store(error) = &error.failure else {
        panic!("{error}");
    };
    assert!(
        matches!(
            error.kind,
            StoreErrorKind::LeaseLost | StoreErrorKind::RunIsOver | StoreErrorKind::Unavailable
        ),
        "{error}"
    );
    say!("lost {:?}", error.kind);
}

/// The run, unless it is over.
async fn resumed(runner: &Runner, run: &RunId) -> Option<RunHandle> {
    loop {
        let error = match runner.resume(run).start().await {
            Ok(handle) => return Some(handle),
            Err(ResumeError::IsOver) => return None,
            Err(ResumeError::Parked { .. }) => continue,
            Err(ResumeError::Store(error)) => error,
            Err(error) => panic!("{error}"),
        };
        match error.kind {
            StoreErrorKind::Held | StoreErrorKind::LeaseLost => {}
            // Who was stopped in the middle of a write keeps others waiting until he goes on.
            StoreErrorKind::Unavailable => say!("waited"),
            _ => panic!("{error}"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}
