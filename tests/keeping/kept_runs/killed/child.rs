//! The process that is killed.

use std::time::Duration;

use toolwright::{
    Runner,
    run::{ResumeError, RunId, StoreErrorKind},
    runner::{RunEvent, RunHandle},
    store::{RunFilter, Scope, Store},
};

use crate::kept_runs::processes::{Folder, Kind, Pointed, Points, Script, say, shipping, tools};

/// The rounds of the run.
pub(super) const ROUNDS: u32 = 3;

#[tokio::test]
#[ignore = "other tests start it"]
async fn drives_a_run() {
    let (folder, points) = (Folder::given(), Points::given());
    let store = Pointed::new(Kind::given().open(&folder).await, &points);
    let runner = Runner::builder(Script {
        rounds: ROUNDS as usize,
    });
    let tools = tools(&folder, &points).with(shipping(&folder, &points));
    let runner = runner
        .tools(tools.expect("the names differ"))
        .store("killed", store.clone())
        .lease_time(Duration::ZERO)
        .build()
        .expect("is sound");
    let runs = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("is read");
    let handle = match runs.items.first() {
        None => Some(runner.start("go")),
        Some(run) => resumed(&runner, &run.info.run_id).await,
    };
    if let Some(mut handle) = handle {
        while let Some(event) = handle.next().await {
            if let RunEvent::Recorded { .. } = event {
                say!("step");
            }
        }
        handle.outcome().await.expect("it ends");
    }
    say!("over");
}

/// The run, unless it is over. Who was killed while it took the lease keeps others out for a while.
async fn resumed(runner: &Runner, run: &RunId) -> Option<RunHandle> {
    loop {
        match runner.resume(run).start().await {
            Ok(handle) => return Some(handle),
            Err(ResumeError::IsOver) => return None,
            Err(ResumeError::Parked { .. }) => {}
            Err(ResumeError::Store(error)) if error.kind == StoreErrorKind::Held => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
}
