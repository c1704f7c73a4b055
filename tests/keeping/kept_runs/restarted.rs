//! A program that is killed in a run and started again at once, with the lease time of the defaults. It does what the guide
//! shows: it recovers, and asks in the same conversation again.

use std::env;

use toolwright::{
    Runner,
    run::{Finish, Run},
    runner::WhenBusy,
    store::{ConversationId, Entry, RunFilter, RunStatus, Scope},
};

use super::processes::{
    Folder, Kind, Numbers, Pointed, Points, Process, Script, Signal, say, tools,
};
use crate::exhaustive::one_of;

/// Says to the program that it recovers, and that its questions wait.
const RECOVERS: &str = "TOOLWRIGHT_TEST_RECOVERS";

/// How often it is killed.
const KILLS: usize = 100;

#[tokio::test]
#[ignore = "other tests start it"]
async fn asks_again() {
    let (folder, points) = (Folder::given(), Points::given());
    let store = Pointed::new(Kind::given().open(&folder).await, &points);
    let recovers = env::var_os(RECOVERS).is_some();
    let when_busy = if recovers {
        WhenBusy::Wait
    } else {
        WhenBusy::Refuse
    };
    let runner = Runner::builder(Script { rounds: 2 })
        .tools(tools(&folder, &points))
        .store("support", store)
        .when_busy(when_busy)
        .build()
        .expect("is sound");
    if recovers {
        let recovering = runner.clone();
        tokio::spawn(async move {
            let recovering = recovering.keep_recovering(|run| match run.handle {
                Ok(handle) => drop(handle.detach()),
                Err(error) => panic!("{} cannot go on: {error}", run.run_id),
            });
            recovering.await
        });
    }
    let outcome = runner
        .request("go")
        .within(ConversationId::new("chat"))
        .run()
        .await;
    outcome.expect("the conversation is not blocked");
    say!("answered");
}

/// Starts the program, and kills it after so many of its writes; it gives false if it was not answered.
fn started(folder: &Folder, recovers: bool, kill_after: Option<u64>) -> bool {
    let environment = recovers.then(|| (RECOVERS, "1".to_owned()));
    let (mut process, said) = Process::start(
        "restarted::asks_again",
        folder.path(),
        Kind::Sqlite,
        None,
        environment.as_slice(),
    );
    let (mut writes, mut is_answered) = (0, false);
    for said in said {
        is_answered |= said == "answered";
        writes += u64::from(said.starts_with("appended"));
        if kill_after.is_some_and(|most| writes >= most) {
            process.signal(Signal::Kill);
            break;
        }
    }
    assert!(process.succeeds() || kill_after.is_some(), "it has failed");
    is_answered
}

#[tokio::test]
async fn a_program_that_is_killed_and_started_at_once_goes_on() {
    let folder = Folder::new("restarted");
    let mut numbers = Numbers(41);
    for number in 0..KILLS / one_of(10) {
        started(&folder, number % 2 == 0, Some(3 + numbers.below(9)));
    }
    assert!(started(&folder, false, None), "the last one is answered");
    let store = Kind::Sqlite.open(folder.path()).await;
    let mut filter = RunFilter::default();
    filter.limit = 2 * KILLS;
    let runs = store.list(Scope::All, &filter).await.expect("it is read");
    assert!(runs.items.len() > 2, "{} runs", runs.items.len());
    for run in runs.items {
        assert_eq!(run.status, RunStatus::Finished);
        let id = &run.info.run_id;
        let loaded = store.load(Scope::All, id, 0).await.expect("it is there");
        let entries = (0..).zip(&loaded.entries);
        let records: Vec<_> = entries
            .map(|(place, text)| Entry::from_text(text, id, place).expect("is whole").record)
            .collect();
        let (run, _) = Run::replay(&records).expect("is the log of a run");
        let outcome = run.outcome().expect("it is over");
        assert_eq!(outcome.finish, Finish::Answered);
    }
}
