//! A process that begins runs of many conversations, goes on with those that others have left, and ends when none is left.

use std::{
    process,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::{task::JoinSet, time::timeout};
use toolwright::{
    Runner,
    run::{Failure, ResumeError, StoreError, StoreErrorKind},
    runner::{RunEvent, RunHandle},
    store::{ConversationId, RunFilter, Scope, Store},
};

use super::{CONVERSATIONS, UNTIL_MS};
use crate::kept_runs::processes::{
    Folder, Kind, Numbers, Pointed, Points, Script, number, say, tools,
};

/// The most runs that a process begins at once: those of four are more than there are conversations.
const MOST: usize = 20;
/// The rounds of a run.
const ROUNDS: usize = 6;
/// Long enough for a process that drives many runs, on a machine that has much to do.
const LEASE_TIME: Duration = Duration::from_secs(2);
/// The time between two looks for runs that nobody drives.
const LOOKS: Duration = Duration::from_millis(200);

#[tokio::test]
#[ignore = "other tests start it"]
async fn drives_many_runs() {
    let (folder, points) = (Folder::given(), Points::given());
    let store = Pointed::new(Kind::given().open(&folder).await, &points);
    let runner = Runner::builder(Script { rounds: ROUNDS })
        .tools(tools(&folder, &points))
        .store("many runs", store.clone())
        .lease_time(LEASE_TIME)
        .build()
        .expect("is sound");
    let until_ms = number(UNTIL_MS).expect("other tests name a time");
    let until = UNIX_EPOCH + Duration::from_millis(until_ms);
    let mut numbers = Numbers(u64::from(process::id()));
    let mut under_way = JoinSet::new();
    let mut begun = 0;
    loop {
        for recovered in runner.recover().await.expect("the store is read") {
            let handle = match recovered.handle {
                Ok(handle) => handle,
                Err(ResumeError::Parked { .. }) => {
                    say!("parked");
                    let resumed = runner.resume(&recovered.run_id).start().await;
                    resumed.expect("it is tried again")
                }
                Err(ResumeError::Store(error)) => {
                    lost(&error);
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            under_way.spawn(drive(handle));
        }
        // A process that was slow to start has something to leave as well.
        let is_time = begun == 0 || SystemTime::now() < until;
        while is_time && under_way.len() < MOST {
            let conversation = format!("talk {}", numbers.below(CONVERSATIONS));
            let question = format!("question {begun} of {}", process::id());
            begun += 1;
            let handle = runner
                .request(question)
                .within(ConversationId::new(conversation))
                .start();
            under_way.spawn(begin(handle));
        }
        if !is_time && under_way.is_empty() && all_are_over(&store).await {
            break;
        }
        let ends = async {
            while under_way
                .join_next()
                .await
                .transpose()
                .expect("no panic")
                .is_some()
            {}
        };
        // What is left goes on meanwhile.
        let _ = timeout(LOOKS, ends).await;
    }
    say!("over");
}

async fn all_are_over(store: &Pointed) -> bool {
    let mut filter = RunFilter::default();
    filter.unfinished = true;
    let runs = store
        .list(Scope::All, &filter)
        .await
        .expect("the store is read");
    runs.items.is_empty()
}

/// Says that a run has begun, when it is in the store, and drives it.
async fn begin(mut handle: RunHandle) {
    if let Some(RunEvent::Recorded { .. }) = handle.next().await {
        say!("begun");
    }
    drive(handle).await;
}

/// Drives a run until it is over, somebody else has it, or somebody else has its conversation.
async fn drive(handle: RunHandle) {
    let Err(error) = handle.outcome().await else {
        return;
    };
    let Failure::Store(error) = &error.failure else {
        panic!("{error}");
    };
    lost(error);
}

/// Says why a run does not go on here. Somebody goes on with it.
fn lost(error: &StoreError) {
    match error.kind {
        StoreErrorKind::ConversationBusy | StoreErrorKind::Outdated => {}
        StoreErrorKind::LeaseLost | StoreErrorKind::RunIsOver => say!("lost"),
        // Many wait for one file.
        StoreErrorKind::Unavailable => say!("unanswered"),
        _ => panic!("{error}"),
    }
}
